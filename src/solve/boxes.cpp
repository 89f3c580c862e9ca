#include "solve/boxes.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "solve/span.h"
#include "term/op.h"

namespace whittle::solve {
namespace {

using term::Op;

/// Conditions as a list of operations, each after its kids.
class Search {
 public:
  Search(const term::Store& store, const std::vector<Term>& conditions) : store_(store), conditions_(conditions) {
    for (Term t : conditions_) roots_.push_back(number(t));
    used_.assign(conditions_.size(), 0);
    mark_floats();
    for (size_t r = 0; r < roots_.size(); ++r) note_leaves(r);
    spans_.resize(nodes_.size());
    for (size_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].term.is_constant())
        spans_[i] = Span::bits(nodes_[i].term.value(), nodes_[i].term.width());
  }

  size_t leaves() const { return leaves_.size(); }
  size_t size() const { return nodes_.size(); }

  template <typename Stop>
  Result run(uint64_t steps, const Stop& stop) {
    Box all;
    for (uint32_t leaf : leaves_) {
      const Term t = nodes_[leaf].term;
      all.spans.push_back(nodes_[leaf].floating ? Span::any_float() : Span::any_bits(t.width()));
    }
    all.splits.assign(leaves_.size(), 0);
    std::vector<Box> todo{std::move(all)};
    for (uint64_t count = 0; !todo.empty(); ++count) {
      if (done_ > steps) return {Answer::Unknown, "limit of steps"};
      if (count % 256 == 255 && stop()) return {Answer::Unknown, "time limit"};
      Box box = std::move(todo.back());
      todo.pop_back();
      if (!narrow(box)) continue;
      if (try_point(box)) return {Answer::Sat, {}};
      const size_t leaf = choose(box);
      if (leaf == kNone) return {Answer::Unknown, "what intervals do not tell"};
      split(std::move(box), leaf, todo);
    }
    return {Answer::Unsat, {}};
  }

  const std::unordered_map<Term, u128>& model() const { return model_; }
  /// Conditions that ruled out a box.
  std::vector<Term> core() const {
    std::vector<Term> result;
    for (size_t i = 0; i < conditions_.size(); ++i)
      if (used_[i]) result.push_back(conditions_[i]);
    return result;
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;
  struct Node {
    Term term;
    uint32_t kids[3] = {};
    uint32_t leaf = UINT32_MAX;
    bool floating = false;  ///< of a leaf: some operation takes it as a float
    bool number = false;    ///< the question whether kid 0, a float, is a number, which is asked of its bits
  };
  struct Box {
    std::vector<Span> spans;  ///< of the leaves
    std::vector<unsigned> splits;
  };

  uint32_t number(Term root) {
    std::vector<std::pair<Term, bool>> todo{{root, false}};
    while (!todo.empty()) {
      auto [t, kids_done] = todo.back();
      todo.pop_back();
      if (numbers_.contains(t)) continue;
      const bool leaf = t.is_variable() || t.op() == Op::Read;
      const Term float_bits = asked_if_number(t);
      if (!kids_done && !leaf && t.arity() > 0) {
        todo.emplace_back(t, true);
        if (float_bits) {
          todo.emplace_back(float_bits, false);
          continue;
        }
        for (unsigned i = 0; i < t.arity(); ++i) todo.emplace_back(t.kid(i), false);
        continue;
      }
      Node node{.term = t};
      if (leaf) {
        node.leaf = static_cast<uint32_t>(leaves_.size());
        leaves_.push_back(static_cast<uint32_t>(nodes_.size()));
      } else if (float_bits) {
        node.kids[0] = numbers_.at(float_bits);
        node.number = true;
      } else {
        for (unsigned i = 0; i < t.arity(); ++i) node.kids[i] = numbers_.at(t.kid(i));
      }
      numbers_.emplace(t, static_cast<uint32_t>(nodes_.size()));
      nodes_.push_back(node);
    }
    return numbers_.at(root);
  }

  /// Bits of a float that are compared with those of inf, the sign left out: what FIsNan is simplified to.
  static Term asked_if_number(Term t) {
    if (t.op() != Op::Ult || t.kid(0).op() != Op::Extract || !t.kid(1).is_constant()) return {};
    const Term part = t.kid(0), whole = part.kid(0);
    if ((whole.width() != 32 && whole.width() != 64) || part.low() != 0 || part.width() + 1 != whole.width()) return {};
    const double infinity = std::numeric_limits<double>::infinity();
    return t.kid(1).value() == some_value(Span::numbers(infinity, infinity), whole.width()) + 1 ? whole : Term();
  }

  void mark_floats() {
    for (size_t i = nodes_.size(); i-- > 0;) {
      const Node& node = nodes_[i];
      if (node.leaf != UINT32_MAX || node.term.is_constant()) continue;
      const Op op = node.term.op();
      if (node.number) {
        nodes_[node.kids[0]].floating = true;
        continue;
      }
      const bool takes = term::is_float_op(op) && op != Op::UIntToF && op != Op::SIntToF;
      for (unsigned k = op == Op::Ite ? 1 : 0; k < node.term.arity(); ++k)
        if (takes || (op == Op::Ite && node.floating)) nodes_[node.kids[k]].floating = true;
    }
  }

  void note_leaves(size_t root) {
    std::vector<uint32_t>& found = leaves_of_.emplace_back();
    for (Term leaf : term::leaves(conditions_[root])) found.push_back(nodes_[numbers_.at(leaf)].leaf);
  }

  void evaluate(const Box& box) {
    done_ += nodes_.size();
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      if (node.leaf != UINT32_MAX) {
        spans_[i] = box.spans[node.leaf];
        continue;
      }
      const unsigned arity = node.term.arity();
      if (arity == 0) continue;
      if (node.number) {
        const Span a = as_float(spans_[node.kids[0]], nodes_[node.kids[0]].term.width());
        spans_[i] = Span::integers(a.nan ? 0 : 1, a.has_numbers() ? 1 : 0);
        continue;
      }
      Span kids[3];
      unsigned widths[3];
      for (unsigned k = 0; k < arity; ++k) kids[k] = spans_[node.kids[k]], widths[k] = node.term.kid(k).width();
      const unsigned low = node.term.op() == Op::Extract ? node.term.low() : 0;
      spans_[i] = span_of(node.term.op(), node.term.width(), low, std::span(kids, arity), std::span(widths, arity),
                          arity == 2 && node.kids[0] == node.kids[1]);
    }
  }

  /// Makes the box smaller by what conditions say of leaves; false if one of them holds nowhere in it.
  bool narrow(Box& box) {
    for (int round = 0; round < 3; ++round) {
      evaluate(box);
      for (size_t r = 0; r < roots_.size(); ++r)
        if (spans_[roots_[r]].is_false()) return used_[r] = 1, false;
      bool changed = false;
      for (size_t r = 0; r < roots_.size(); ++r) {
        if (spans_[roots_[r]].is_true()) continue;
        bool narrower = false;
        require(box, roots_[r], true, narrower);
        if (!narrower) continue;
        changed = true;
        used_[r] = 1;
        for (uint32_t leaf : leaves_of_[r])
          if (box.spans[leaf].impossible()) return false;
      }
      if (!changed) return true;
    }
    evaluate(box);
    for (size_t r = 0; r < roots_.size(); ++r)
      if (spans_[roots_[r]].is_false()) return used_[r] = 1, false;
    return true;
  }

  void require(Box& box, uint32_t at, bool truth, bool& narrower) {
    const Node& node = nodes_[at];
    const Op op = node.term.op();
    if (op == Op::Not && node.term.width() == 1) return require(box, node.kids[0], !truth, narrower);
    if ((op == Op::And && truth) || (op == Op::Or && !truth)) {
      if (node.term.width() != 1) return;
      require(box, node.kids[0], truth, narrower);
      require(box, node.kids[1], truth, narrower);
      return;
    }
    if (node.number) return number_or_not(box, node.kids[0], !truth, narrower);
    if (node.leaf != UINT32_MAX && node.term.width() == 1 && !node.floating) {
      const Span wanted = Span::integers(truth, truth);
      if (box.spans[node.leaf] == wanted) return;
      box.spans[node.leaf].low = std::max(box.spans[node.leaf].low, wanted.low);
      box.spans[node.leaf].high = std::min(box.spans[node.leaf].high, wanted.high);
      narrower = true;
      return;
    }
    if (op == Op::FLt || op == Op::FLe || (op == Op::FEq && truth)) compare(box, node, op, truth, narrower);
    if (op == Op::FIsNan) number_or_not(box, node.kids[0], truth, narrower);
    if (op == Op::Slt || op == Op::Sle || (op == Op::Eq && truth)) compare_integers(box, node, op, truth, narrower);
  }

  void compare(Box& box, const Node& node, Op op, bool truth, bool& narrower) {
    const unsigned width = node.term.kid(0).width();
    Span a = as_float(spans_[node.kids[0]], width), b = as_float(spans_[node.kids[1]], width);
    uint32_t left = node.kids[0], right = node.kids[1];
    if (!truth) {  // a < b is false: b <= a, if there is no NaN
      if (a.nan || b.nan) return;
      std::swap(a, b), std::swap(left, right);
      op = op == Op::FLt ? Op::FLe : Op::FLt;
    }
    if (!a.has_numbers() || !b.has_numbers()) return;
    const double above = op == Op::FLt && std::isfinite(a.lo) ? next_float(a.lo, true, width) : a.lo;
    const double below = op == Op::FLt && std::isfinite(b.hi) ? next_float(b.hi, false, width) : b.hi;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    limit(box, left, op == Op::FEq ? b.lo : -kInfinity, below, narrower);
    limit(box, right, above, op == Op::FEq ? a.hi : kInfinity, narrower);
  }

  /// It is a number from lo to hi.
  void limit(Box& box, uint32_t at, double lo, double hi, bool& narrower) {
    const Node& node = nodes_[at];
    if (node.leaf == UINT32_MAX) {
      const Op op = node.term.op();
      if (op == Op::FNeg) limit(box, node.kids[0], -hi, -lo, narrower);
      // Each float is a double, so the other way round is exact, but for the floats between two doubles.
      if (op == Op::FToFloat && node.term.width() == 64 && node.term.kid(0).width() == 32) {
        const double from = static_cast<float>(lo), to = static_cast<float>(hi);
        limit(box, node.kids[0], from < lo ? next_float(from, true, 32) : from,
              to > hi ? next_float(to, false, 32) : to, narrower);
      }
      return;
    }
    Span& span = box.spans[node.leaf];
    if (!span.floating || (!span.nan && span.lo >= lo && span.hi <= hi)) return;
    span.nan = false;
    span.lo = std::max(span.lo, lo), span.hi = std::min(span.hi, hi);
    narrower = true;
  }

  void number_or_not(Box& box, uint32_t at, bool nan, bool& narrower) {
    const Node& node = nodes_[at];
    if (node.leaf == UINT32_MAX) return;
    Span& span = box.spans[node.leaf];
    if (!span.floating || (nan ? !span.has_numbers() : !span.nan)) return;
    span = nan ? Span::numbers(1, 0, span.nan) : Span::numbers(span.lo, span.hi);
    narrower = true;
  }

  void compare_integers(Box& box, const Node& node, Op op, bool truth, bool& narrower) {
    const unsigned width = node.term.kid(0).width();
    if (width == 1 || width > 64 || spans_[node.kids[0]].floating || spans_[node.kids[1]].floating) return;
    Span a = spans_[node.kids[0]], b = spans_[node.kids[1]];
    uint32_t left = node.kids[0], right = node.kids[1];
    if (!truth) {
      std::swap(a, b), std::swap(left, right);
      op = op == Op::Slt ? Op::Sle : Op::Slt;
    }
    const i128 strict = op == Op::Slt ? 1 : 0;
    auto limit_leaf = [&](uint32_t at, i128 low, i128 high) {
      if (nodes_[at].leaf == UINT32_MAX) return;
      Span& span = box.spans[nodes_[at].leaf];
      if (span.floating || (span.low >= low && span.high <= high)) return;
      span.low = std::max(span.low, low), span.high = std::min(span.high, high);
      narrower = true;
    };
    limit_leaf(left, op == Op::Eq ? b.low : a.low, b.high - strict);
    limit_leaf(right, a.low + strict, op == Op::Eq ? a.high : b.high);
  }

  /// Do all conditions hold at a point of the box?
  bool try_point(const Box& box) {
    Box point = box;
    for (size_t i = 0; i < point.spans.size(); ++i) point.spans[i] = middle(point.spans[i], width(i));
    evaluate(point);
    if (std::any_of(roots_.begin(), roots_.end(), [&](uint32_t r) { return spans_[r].is_false(); })) return false;
    std::unordered_map<Term, u128> model;
    for (size_t i = 0; i < point.spans.size(); ++i)
      model[nodes_[leaves_[i]].term] = some_value(point.spans[i], width(i));
    for (Term t : conditions_)
      if (store_.evaluate_leaves(t, [&](Term leaf) { return model.at(leaf); }) != 1) return false;
    model_ = std::move(model);
    return true;
  }

  unsigned width(size_t leaf) const { return nodes_[leaves_[leaf]].term.width(); }

  /// Large numbers are halved by their exponents, others by their values.
  static double half(double lo, double hi, unsigned width) {
    constexpr double kLarge = 1e4;
    auto step = [](double x) { return std::copysign(std::sqrt(std::fabs(x)), x); };
    double m = lo / 2 + hi / 2;
    if (lo < 0 && hi > 0 && (lo < -kLarge || hi > kLarge)) {
      m = 0;
    } else if (lo < -kLarge || hi > kLarge) {
      const double largest = width == 32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
      const double a = std::clamp(lo, -largest, largest), b = std::clamp(hi, -largest, largest);
      m = step(std::fabs(a) < 1 ? std::copysign(1.0, b) : a) * step(std::fabs(b) < 1 ? std::copysign(1.0, a) : b);
      m = lo < 0 ? -std::fabs(m) : std::fabs(m);
    }
    if (width == 32) m = static_cast<float>(m);
    return m >= lo && m <= hi ? m : lo;
  }

  static Span middle(const Span& span, unsigned width) {
    if (!span.floating) {
      const i128 m = span.low + (span.high - span.low) / 2;
      return Span::integers(m, m);
    }
    if (!span.has_numbers()) return span;
    const double m = half(span.lo, span.hi, width);
    return Span::numbers(m, m);
  }

  /// What is to be halved: of what open conditions depend on, what was halved least; none if all are points.
  size_t choose(const Box& box) {
    evaluate(box);
    size_t best = kNone;
    for (size_t r = 0; r < roots_.size(); ++r) {
      if (spans_[roots_[r]].is_true()) continue;
      for (uint32_t leaf : leaves_of_[r])
        if (!box.spans[leaf].point() && (best == kNone || box.splits[leaf] < box.splits[best])) best = leaf;
    }
    return best;
  }

  void split(Box box, size_t leaf, std::vector<Box>& todo) {
    ++box.splits[leaf];
    Span& span = box.spans[leaf];
    const Span whole = span;
    auto put = [&](const Span& part) {
      span = part;
      todo.push_back(box);
    };
    if (!span.floating) {
      const i128 m = span.low + (span.high - span.low) / 2;
      put(Span::integers(m + 1, whole.high));
      return put(Span::integers(whole.low, m));
    }
    if (span.nan) {
      put(Span::numbers(1, 0, true));
      return put(Span::numbers(whole.lo, whole.hi));
    }
    double m = half(whole.lo, whole.hi, width(leaf));
    if (m >= whole.hi) m = next_float(whole.hi, false, width(leaf));
    put(Span::numbers(next_float(m, true, width(leaf)), whole.hi));
    put(Span::numbers(whole.lo, m));
  }

  const term::Store& store_;
  const std::vector<Term>& conditions_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> roots_, leaves_;
  std::vector<std::vector<uint32_t>> leaves_of_;  ///< by condition
  std::unordered_map<Term, uint32_t> numbers_;
  std::vector<Span> spans_;
  std::vector<char> used_;
  std::unordered_map<Term, u128> model_;
  uint64_t done_ = 0;
};

class Boxes final : public Solver {
 public:
  Boxes(const term::Store& store, std::unique_ptr<Solver> inner, uint64_t steps)
      : store_(store), inner_(std::move(inner)), steps_(steps) {}

  void add(Term condition) override {
    asserted_.push_back(condition);
    inner_->add(condition);
  }
  void push() override {
    levels_.push_back(asserted_.size());
    inner_->push();
  }
  void pop() override {
    asserted_.resize(levels_.back());
    levels_.pop_back();
    inner_->pop();
  }
  Result check(std::span<const Term> assumptions) override {
    own_ = true;
    model_.clear();
    core_.clear();
    if (Result result = by_intervals(assumptions); !result.unknown()) return result;
    own_ = false;
    return inner_->check(assumptions);
  }
  u128 value(Term t) override {
    if (!own_) return inner_->value(t);
    return store_.evaluate_leaves(t, [&](Term leaf) {
      auto it = model_.find(leaf);
      return it == model_.end() ? u128{0} : it->second;
    });
  }
  std::vector<Term> core() override { return own_ ? core_ : inner_->core(); }
  void interrupt() override {
    interrupted_ = true;
    inner_->interrupt();
  }
  void set_budget(const Budget& budget) override {
    budget_ = budget;
    inner_->set_budget(budget);
  }
  const Capabilities& capabilities() const override { return inner_->capabilities(); }

 private:
  Result by_intervals(std::span<const Term> assumptions) {
    std::vector<Term> all = asserted_;
    all.insert(all.end(), assumptions.begin(), assumptions.end());
    const std::vector<Term> conditions = about_floats(all);
    if (conditions.empty() || interrupted_) return {};
    Search search(store_, conditions);
    // Few unknowns can be cut into boxes that are small enough; of many, only what is plain is seen.
    constexpr size_t kFewLeaves = 4;
    const uint64_t steps = search.leaves() <= kFewLeaves ? steps_ : steps_ / 20;
    const auto start = std::chrono::steady_clock::now();
    Result result = search.run(steps, [&] {
      return interrupted_ ||
             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > budget_.seconds / 2;
    });
    if (result.unsat()) {
      const std::unordered_set<Term> assumed(assumptions.begin(), assumptions.end());
      for (Term t : search.core())
        if (assumed.contains(t)) core_.push_back(t);
    }
    if (result.sat()) {
      model_ = search.model();
      if (std::any_of(all.begin(), all.end(), [&](Term t) { return value(t) != 1; })) return {};
    }
    return result;
  }

  /// Conditions with floats, and what has unknowns in common with them.
  static std::vector<Term> about_floats(const std::vector<Term>& all) {
    std::vector<char> taken(all.size(), 0);
    std::unordered_set<Term> unknowns;
    std::vector<std::vector<Term>> leaves;
    for (Term t : all) leaves.push_back(t.has_floats() ? term::leaves(t) : std::vector<Term>());
    bool any = false;
    for (size_t i = 0; i < all.size(); ++i) {
      if (!all[i].has_floats()) continue;
      taken[i] = any = true;
      unknowns.insert(leaves[i].begin(), leaves[i].end());
    }
    if (!any) return {};
    for (size_t i = 0; i < all.size(); ++i)
      if (!taken[i]) leaves[i] = term::leaves(all[i]);
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < all.size(); ++i) {
        if (taken[i] || std::none_of(leaves[i].begin(), leaves[i].end(), [&](Term t) { return unknowns.contains(t); }))
          continue;
        taken[i] = changed = true;
        unknowns.insert(leaves[i].begin(), leaves[i].end());
      }
    }
    std::vector<Term> conditions;
    for (size_t i = 0; i < all.size(); ++i)
      if (taken[i]) conditions.push_back(all[i]);
    return conditions;
  }

  const term::Store& store_;
  std::unique_ptr<Solver> inner_;
  uint64_t steps_;
  Budget budget_;
  std::vector<Term> asserted_;
  std::vector<size_t> levels_;
  bool own_ = false;  ///< the last answer
  std::unordered_map<Term, u128> model_;
  std::vector<Term> core_;
  std::atomic<bool> interrupted_{false};
};

}  // namespace

std::unique_ptr<Solver> make_boxes(const term::Store& store, std::unique_ptr<Solver> inner, uint64_t steps) {
  return std::make_unique<Boxes>(store, std::move(inner), steps);
}

}  // namespace whittle::solve
