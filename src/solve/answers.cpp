#include "solve/answers.h"

#include <algorithm>
#include <optional>

#include "base/hash.h"
#include "solve/layer.h"

namespace whittle::solve {
namespace {

constexpr double kAlmostOver = 0.1;  ///< seconds before the end of the run: an answer may be Unknown for that

using Key = Answers::Key;
using Known = Answers::Known;

/// Hashes of terms, each made once. Equal hashes, equal terms but for the names of unknowns.
class Keys {
 public:
  Key of(std::span<const Term> conditions) {
    Key sum{conditions.size(), ~conditions.size()};
    for (Term t : conditions) mix(sum, of(t));
    return sum;
  }

 private:
  static void mix(Key& key, uint64_t what) {
    key.first = hash_combine(key.first, what);
    key.second = hash_combine(key.second, ~what);
  }
  static void mix(Key& key, const Key& what) {
    key.first = hash_combine(key.first, what.first);
    key.second = hash_combine(key.second, what.second);
  }

  Key of(Term root) {
    if (known_.size() <= root.id()) known_.resize(root.id() + 1);
    todo_.assign(1, root);
    while (!todo_.empty()) {
      const Term t = todo_.back();
      if (!known_[t.id()]) {
        const size_t before = todo_.size();
        for (unsigned i = 0; i < t.arity(); ++i)
          if (!known_[t.kid(i).id()]) todo_.push_back(t.kid(i));
        if (todo_.size() != before) continue;
        known_[t.id()] = make(t);
      }
      todo_.pop_back();
    }
    return *known_[root.id()];
  }
  Key make(Term t) const {
    Key key;
    mix(key, uint64_t{t.width()} << 8 | static_cast<uint64_t>(t.op()));
    if (t.is_constant()) mix(key, static_cast<uint64_t>(t.value())), mix(key, static_cast<uint64_t>(t.value() >> 64));
    if (t.is_variable()) mix(key, uint64_t{t.variable()});
    if (t.op() == term::Op::Extract) mix(key, uint64_t{t.low()});
    for (unsigned i = 0; i < t.arity(); ++i) mix(key, *known_[t.kid(i).id()]);
    return key;
  }

  std::vector<std::optional<Key>> known_;  ///< by the term's number
  std::vector<Term> todo_;
};

struct Owned {
  Statistics figures;
  StackContext context;
};

class Remembering final : private Owned, public Layer {
 public:
  Remembering(const term::Store& store, Answers& answers, std::unique_ptr<Solver> inner)
      : Owned{{}, {store, figures}}, Layer(Owned::context, std::move(inner)), answers_(answers) {}

  // The solver behind keeps its own stack: it is faster where conditions stay.
  void add(Term condition) override {
    Layer::add(condition);
    inner_->add(condition);
  }
  void push() override {
    Layer::push();
    inner_->push();
  }
  void pop() override {
    Layer::pop();
    inner_->pop();
  }

 private:
  Result query(std::span<const Term> conditions) override {
    const Key key = keys_.of(conditions);
    if (const Known* known = answers_.find(key); known != nullptr && take(*known, conditions)) return {known->answer, known->reason};
    const Result result = ask_behind(conditions);
    Known known{result.answer, result.reason, {}, {}};
    if (result.unsat())
      for (uint32_t i = 0; i < conditions.size(); ++i)
        if (std::ranges::find(core_, conditions[i]) != core_.end()) known.which.push_back(i);
    if (result.sat()) {
      const std::vector<Term> leaves = leaves_of(conditions);
      for (uint32_t i = 0; i < leaves.size(); ++i)
        if (const u128 value = model_.at(leaves[i]); value != 0) known.which.push_back(i), known.values.push_back(value);
    }
    answers_.add(key, std::move(known));
    return result;
  }

  /// What was added is there already.
  Result ask_behind(std::span<const Term> conditions) {
    const Result result = inner_->check(conditions.subspan(asserted()));
    if (result.sat())
      for (Term leaf : leaves_of(conditions)) model_.emplace(leaf, inner_->value(leaf));
    if (result.unsat()) core_ = inner_->core();
    return result;
  }

  std::vector<Term> leaves_of(std::span<const Term> conditions) {
    std::vector<Term> all;
    std::unordered_set<Term> seen;
    for (Term t : conditions)
      for (Term leaf : context_.leaves.of(t))
        if (seen.insert(leaf).second) all.push_back(leaf);
    return all;
  }

  /// False: it is no answer to this question, whatever the hash says.
  bool take(const Known& known, std::span<const Term> conditions) {
    if (known.answer == Answer::Unsat)
      for (uint32_t i : known.which) {
        if (i >= conditions.size()) return false;
        core_.push_back(conditions[i]);
      }
    if (known.answer != Answer::Sat) return true;
    const std::vector<Term> leaves = leaves_of(conditions);
    for (size_t i = 0; i < known.which.size(); ++i) {
      if (known.which[i] >= leaves.size()) return false;
      model_.emplace(leaves[known.which[i]], known.values[i]);
    }
    if (std::ranges::all_of(conditions, [&](Term t) { return holds(t, model_); })) return true;
    model_.clear();
    return false;
  }

  Answers& answers_;
  Keys keys_;
};

}  // namespace

const Answers::Known* Answers::find(const Key& key) const {
  const auto found = known_.find(key);
  return found == known_.end() ? nullptr : &found->second;
}

void Answers::add(const Key& key, Known known) {
  if (known.answer == Answer::Unknown && (limits_.poll_now() != Stop::No || limits_.remaining() < kAlmostOver)) return;
  known_.insert_or_assign(key, std::move(known));
  if (between_) between_();
}

void Answers::save(CheckpointWriter& out) const {
  std::vector<uint64_t> words;
  std::string reasons;
  for (const auto& [key, known] : known_) {
    words.insert(words.end(), {key.first, key.second, static_cast<uint64_t>(known.answer), known.which.size(), known.reason.size()});
    words.insert(words.end(), known.which.begin(), known.which.end());
    for (const u128 value : known.values) words.insert(words.end(), {static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64)});
    reasons += known.reason;
  }
  out.value(uint64_t{known_.size()});
  out.array(words.data(), words.size());
  out.array(reasons.data(), reasons.size());
}

void Answers::load(CheckpointReader& in) {
  const auto count = in.value<uint64_t>();
  const std::vector<uint64_t> words = in.array<uint64_t>();
  const std::vector<char> reasons = in.array<char>();
  size_t at = 0, reason = 0;
  auto room = [&](size_t available, uint64_t wanted) {
    if (wanted > available) in.damaged();
  };
  for (uint64_t i = 0; i < count; ++i) {
    room(words.size() - at, 5);
    const Key key{words[at], words[at + 1]};
    const uint64_t answer = words[at + 2], which = words[at + 3], letters = words[at + 4];
    at += 5;
    if (answer > static_cast<uint64_t>(Answer::Unknown)) in.damaged();
    Known known{static_cast<Answer>(answer), {}, {}, {}};
    room(words.size() - at, which);
    known.which.assign(words.begin() + static_cast<ptrdiff_t>(at), words.begin() + static_cast<ptrdiff_t>(at + which));
    at += which;
    if (known.answer == Answer::Sat) {
      room((words.size() - at) / 2, which);
      for (uint64_t k = 0; k < which; ++k, at += 2) known.values.push_back(u128{words[at + 1]} << 64 | words[at]);
    }
    room(reasons.size() - reason, letters);
    known.reason.assign(reasons.data() + reason, letters);
    reason += letters;
    known_.insert_or_assign(key, std::move(known));
  }
  if (at != words.size() || reason != reasons.size()) in.damaged();
}

std::unique_ptr<Solver> make_remembering(const term::Store& store, Answers& answers, std::unique_ptr<Solver> inner) {
  return std::make_unique<Remembering>(store, answers, std::move(inner));
}

}  // namespace whittle::solve
