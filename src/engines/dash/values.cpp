#include "engines/dash/values.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "engines/dash/addresses.h"
#include "engines/dash/facts.h"
#include "engines/dash/questions.h"

namespace whittle::engines::dash {

using program::kNone;
using term::Op;

namespace {

/// What is known of one variable.
struct Value {
  enum class Kind : uint8_t { Any, NotZero, Number } kind = Kind::Any;
  u128 number = 0;
  bool operator==(const Value&) const = default;
  auto operator<=>(const Value&) const = default;
  bool covers(const Value& o) const {
    if (kind == Kind::Any || *this == o) return true;
    return kind == Kind::NotZero && o.kind == Kind::Number && o.number != 0;
  }
};

using Tuple = std::vector<Value>;

bool covers(const Tuple& a, const Tuple& b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (!a[i].covers(b[i])) return false;
  return true;
}

/// The one variable or cell of a term; no term if there are several, or none.
Term only_leaf(const Space& space, Term t) {
  const auto leaves = term::leaves(t);
  if (leaves.size() != 1) return {};
  const Term leaf = leaves[0];
  if (leaf.is_variable()) return space.owner(leaf).known() && space.owner(leaf).reg != kNone ? leaf : Term();
  return leaf.kid(0).is_constant() ? leaf : Term();
}

class ValueSets {
 public:
  ValueSets(Space& space, Graph& graph, const Forest& forest, double seconds, const ValueLimits& limits)
      : space_(space),
        graph_(graph),
        forest_(forest),
        store_(space.terms()),
        limits_(limits),
        until_(Questions::now() + seconds) {}

  /// None if that keeps nothing from any end.
  Proposals run() {
    find_blocks();
    const std::vector<Term> all = find_leaves();
    if (!follow_with({})) return {};
    const size_t most = open_ends_.size();
    if (most == 0) return {};
    // More and more of them. Of a batch that has too many combinations, those are left out that cause it.
    for (size_t first = 0, size = 1; first < all.size() && !open_ends_.empty(); first += size, size *= 2) {
      size = std::min(size, all.size() - first);
      const std::vector<Term> batch(all.begin() + static_cast<ptrdiff_t>(first),
                                    all.begin() + static_cast<ptrdiff_t>(first + size));
      std::vector<Term> more = leaves_;
      more.insert(more.end(), batch.begin(), batch.end());
      if (follow_with(more)) continue;
      for (size_t i = 0; i < batch.size() && size > 1; ++i) {
        more = leaves_;
        more.push_back(batch[i]);
        follow_with(more);
      }
    }
    if (open_ends_.size() == most) return {};
    drop_needless();
    return tell();
  }

 private:
  struct Way {
    uint32_t from = 0, to = kNone;  ///< nodes; kNone: an end that a proof must exclude
    Effect effect;
    std::vector<Term> guards{};  ///< single conditions
    struct Test {                ///< guards that compare a followed variable with a number
      size_t leaf = 0;
      u128 number = 0;
      bool equal = false;
    };
    std::vector<Test> tests{};
    std::vector<Term> others{};  ///< the other guards
    std::vector<Term> after{};   ///< by leaf; the leaf itself if nothing is written
  };

  void find_blocks() {
    for (uint32_t b = 0; b < graph_.block_count(); ++b) {
      const BlockInfo& info = graph_.block(b);
      if (info.gone || (info.block.end != Block::End::Node && info.block.skips_call())) continue;
      ways_.push_back({*graph_.find(info.block.from), kNone, Effect(space_, info.block)});
      if (info.block.end == Block::End::Node) ways_.back().to = *graph_.find(info.block.to);
      for (Term g : ways_.back().effect.guards()) flatten(g, ways_.back().guards);
    }
  }

  /// What guards compare with numbers, and what is copied into that. First what ends ask about, then what is asked most.
  std::vector<Term> find_leaves() {
    std::unordered_map<Term, size_t> asked;
    std::vector<Term> leaves;
    auto add = [&](Term leaf, size_t often) {
      if (!leaf) return;
      if (asked[leaf] == 0) leaves.push_back(leaf);
      asked[leaf] += often;
    };
    for (const Way& way : ways_)
      for (Term g : way.guards) add(only_leaf(space_, g), way.to == kNone ? ways_.size() : 1);
    std::stable_sort(leaves.begin(), leaves.end(), [&](Term a, Term b) { return asked[a] > asked[b]; });
    if (leaves.size() > limits_.leaves) leaves.resize(limits_.leaves);
    for (size_t i = 0; i < leaves.size() && leaves.size() < limits_.leaves; ++i)
      for (Way& way : ways_)
        if (Term value = now(way, leaves[i]); value != leaves[i]) add(only_leaf(space_, value), 1);
    return leaves;
  }

  /// False: there are too many combinations, or it takes too long; all is as before.
  bool follow_with(std::vector<Term> leaves) {
    const std::vector<Term> before = std::exchange(leaves_, std::move(leaves));
    auto found = std::exchange(found_, {});
    if (prepare() && follow()) {
      open_ends_.clear();
      for (size_t w = 0; w < ways_.size(); ++w) {
        const auto& there = found_[ways_[w].from];
        if (ways_[w].to == kNone &&
            std::any_of(there.begin(), there.end(), [&](const Tuple& t) { return !step(ways_[w], t).empty(); }))
          open_ends_.push_back(w);
      }
      return true;
    }
    leaves_ = before;
    found_ = std::move(found);
    return false;
  }

  Term now(Way& way, Term leaf) const {
    return leaf.is_variable() ? way.effect.value(leaf) : way.effect.load(leaf.kid(0), leaf.width() / 8);
  }

  bool prepare() {
    for (Way& way : ways_) {
      if (Questions::now() > until_) return false;
      way.tests.clear(), way.others.clear(), way.after.clear();
      for (Term g : way.guards) {
        const bool negated = g.op() == Op::Not;
        const Term condition = negated ? g.kid(0) : g;
        size_t leaf = leaves_.size();
        u128 number = 1;
        if (condition.is_variable()) leaf = index(condition);
        if (condition.op() == Op::Eq)
          for (unsigned side = 0; side < 2 && leaf == leaves_.size(); ++side)
            if (condition.kid(1 - side).is_constant())
              leaf = index(condition.kid(side)), number = condition.kid(1 - side).value();
        if (leaf < leaves_.size())
          way.tests.push_back({leaf, number, !negated});
        else
          way.others.push_back(g);
      }
      if (way.to == kNone) continue;
      for (Term leaf : leaves_) {
        const bool matters = leaf.op() == Op::Read || is_live(space_, leaf, graph_.node(way.to).place);
        way.after.push_back(matters ? now(way, leaf) : Term());
      }
    }
    return true;
  }

  size_t index(Term leaf) const {
    return static_cast<size_t>(std::find(leaves_.begin(), leaves_.end(), leaf) - leaves_.begin());
  }

  bool follow() {
    found_.assign(graph_.nodes(), {});
    std::vector<std::vector<size_t>> leaving(graph_.nodes());
    for (size_t w = 0; w < ways_.size(); ++w)
      if (ways_[w].to != kNone) leaving[ways_[w].from].push_back(w);
    std::vector<std::pair<uint32_t, size_t>> todo{{graph_.entry(), 0}};
    found_[graph_.entry()].push_back(first());
    while (!todo.empty()) {
      const auto [node, number] = todo.back();
      todo.pop_back();
      for (size_t w : leaving[node]) {
        constexpr size_t kOften = 32;
        if (++steps_ % kOften == 0 && Questions::now() > until_) return false;
        for (Tuple& after : step(ways_[w], found_[node][number])) {
          auto& there = found_[ways_[w].to];
          if (std::any_of(there.begin(), there.end(), [&](const Tuple& t) { return covers(t, after); })) continue;
          if (there.size() == limits_.tuples) return false;
          there.push_back(std::move(after));
          todo.emplace_back(ways_[w].to, there.size() - 1);
        }
      }
    }
    return true;
  }

  /// In the one state in which programs begin.
  Tuple first() const {
    Tuple tuple(leaves_.size());
    for (size_t i = 0; i < leaves_.size(); ++i)
      if (leaves_[i].op() == Op::Read && space_.program().object_at(leaves_[i].kid(0).value64()))
        tuple[i] = {Value::Kind::Number, forest_.test(0).evaluate(space_, 0, leaves_[i])};
    return tuple;
  }

  /// What the way makes of it, by cases; nothing if it cannot be gone.
  std::vector<Tuple> step(const Way& way, Tuple tuple) {
    for (const Way::Test& test : way.tests) {
      Value& v = tuple[test.leaf];
      if (v.kind == Value::Kind::Number) {
        if ((v.number == test.number) != test.equal) return {};
      } else if (test.equal) {
        if (v.kind == Value::Kind::NotZero && test.number == 0) return {};
        v = {Value::Kind::Number, test.number};
      } else if (leaves_[test.leaf].width() == 1) {
        v = {Value::Kind::Number, 1 - test.number};
      } else if (test.number == 0) {
        v = {Value::Kind::NotZero, 0};
      }
    }
    Facts facts(store_);
    for (size_t i = 0; i < tuple.size(); ++i)
      if (tuple[i].kind != Value::Kind::Any) facts.add(says(i, tuple[i]));
    for (Term g : way.others) facts.add(g);
    std::vector<Tuple> results;
    if (way.to != kNone)
      after(way, tuple, facts, 0, results);
    else if (!facts.contradiction())
      results.emplace_back(tuple.size());
    return results;
  }

  /// `x = c ? 1 : 2` has two results, if it matters what x is.
  void after(const Way& way, const Tuple& before, Facts& facts, unsigned cases, std::vector<Tuple>& results) {
    constexpr unsigned kMostCases = 4;
    if (facts.contradiction()) return;
    Tuple tuple(before.size());
    for (size_t i = 0; i < tuple.size(); ++i) {
      const Term t = way.after[i];
      if (!t) continue;
      if (t == leaves_[i] && before[i].kind == Value::Kind::Number) {
        tuple[i] = before[i];
        continue;
      }
      const Term value = facts.simplify(t);
      if (value.op() == Op::Ite && cases < kMostCases) {
        for (Term condition : {value.kid(0), store_.bnot(value.kid(0))}) {
          const Facts::Mark mark = facts.mark();
          facts.add(condition);
          after(way, before, facts, cases + 1, results);
          facts.back_to(mark);
        }
        return;
      }
      if (value.is_constant())
        tuple[i] = {Value::Kind::Number, value.value()};
      else if (facts.simplify(store_.eq(value, store_.constant(value.width(), 0))).is_false())
        tuple[i] = {Value::Kind::NotZero, 0};
    }
    results.push_back(std::move(tuple));
  }

  Term says(size_t leaf, const Value& value) const {
    const Term t = leaves_[leaf];
    if (value.kind == Value::Kind::NotZero) return store_.ne(t, store_.constant(t.width(), 0));
    return store_.eq(t, store_.constant(t.width(), value.number));
  }

  /// The fewer variables, the fewer combinations, and the shorter the proof.
  void drop_needless() {
    const std::vector<size_t> open = open_ends_;
    for (size_t i = leaves_.size(); i-- > 0;) {
      const std::vector<Term> all = leaves_;
      const auto found = found_;
      std::vector<Term> fewer = all;
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
      if (!follow_with(fewer) || open_ends_ == open) continue;
      leaves_ = all;
      found_ = found;
    }
    open_ends_ = open;
  }

  Proposals tell() {
    Proposals proposals;
    for (uint32_t n = graph_.entry() + 1; n < graph_.nodes(); ++n) {
      Term any = store_.falsity();
      for (size_t k = 0; k < found_[n].size(); ++k) {
        // (What came later may say less.)
        bool covered = false;
        for (size_t j = k + 1; j < found_[n].size() && !covered; ++j) covered = covers(found_[n][j], found_[n][k]);
        if (covered) continue;
        Term all = store_.truth();
        for (size_t i = 0; i < leaves_.size(); ++i)
          if (found_[n][k][i].kind != Value::Kind::Any) all = store_.band(all, says(i, found_[n][k][i]));
        any = store_.bor(any, all);
      }
      if (!any.is_true()) proposals.emplace_back(graph_.node(n).place, any);
    }
    return proposals;
  }

  Space& space_;
  Graph& graph_;
  const Forest& forest_;
  term::Store& store_;
  const ValueLimits limits_;
  const double until_;
  size_t steps_ = 0;
  std::vector<Way> ways_;
  std::vector<Term> leaves_;
  std::vector<std::vector<Tuple>> found_;  ///< by node
  std::vector<size_t> open_ends_;          ///< ways
};

}  // namespace

Proposals propose_by_values(Space& space, Graph& graph, const Forest& forest, double seconds,
                            const ValueLimits& limits) {
  return ValueSets(space, graph, forest, seconds, limits).run();
}

}  // namespace whittle::engines::dash
