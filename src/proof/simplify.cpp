#include "proof/simplify.h"

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace whittle::proof {

using term::Op;
using term::Term;

namespace {

class Simplifier {
 public:
  explicit Simplifier(term::Store& store) : store_(store) {}

  /// The parts of conjunctions, each once.
  void flatten(Term t, std::vector<Term>& parts) {
    if (t.op() == Op::And) {
      flatten(t.kid(0), parts);
      flatten(t.kid(1), parts);
    } else if (!t.is_true() && seen_.insert(t).second) {
      parts.push_back(t);
    }
  }

  void learn(Term part) {
    known_.emplace(part, true);
    known_.emplace(store_.bnot(part), false);
    if (part.op() != Op::Not || part.kid(0).op() != Op::Ult || !part.kid(0).kid(1).is_constant()) return;
    u128& least = least_[part.kid(0).kid(0)];  // x is at least that
    least = std::max(least, part.kid(0).kid(1).value());
  }

  /// Of a condition that is no fact itself.
  Term apply(Term part) { return rewrite(part); }

 private:
  std::optional<bool> told(Term t) const {
    if (t.width() != 1) return std::nullopt;
    if (auto it = known_.find(t); it != known_.end()) return it->second;
    if (t.op() != Op::Ult || !t.kid(1).is_constant()) return std::nullopt;
    auto it = least_.find(t.kid(0));
    if (it == least_.end() || t.kid(1).value() > it->second) return std::nullopt;
    return false;
  }

  Term rewrite(Term t) {
    if (t.is_constant()) return t;
    if (auto it = memo_.find(t); it != memo_.end()) return it->second;
    Term result = t;
    if (auto value = told(t)) {
      result = store_.boolean(*value);
    } else if (!t.is_variable()) {
      Term kids[3];
      bool changed = false;
      for (unsigned i = 0; i < t.arity(); ++i) {
        kids[i] = rewrite(t.kid(i));
        changed |= kids[i] != t.kid(i);
      }
      if (changed)
        result = store_.make(t.op(), std::span(kids, t.arity()), t.width(), t.op() == Op::Extract ? t.low() : 0);
    }
    memo_.emplace(t, result);
    return result;
  }

  term::Store& store_;
  std::unordered_set<Term> seen_;
  std::unordered_map<Term, bool> known_;
  std::unordered_map<Term, u128> least_;
  std::unordered_map<Term, Term> memo_;
};

}  // namespace

void simplify_together(term::Store& store, std::vector<Term>& conditions) {
  for (int round = 0; round < 3; ++round) {
    Simplifier simplifier(store);
    std::vector<Term> parts;
    for (Term c : conditions) simplifier.flatten(c, parts);
    // Small parts are facts that larger ones are read by; those stay as they are, so nothing is explained in a circle.
    constexpr size_t kFact = 12;
    std::vector<Term> facts, others;
    for (Term p : parts) {
      const bool fact = term::dag_size(p) <= kFact;
      (fact ? facts : others).push_back(p);
      if (fact) simplifier.learn(p);
    }
    bool changed = false;
    conditions = facts;
    for (Term p : others) {
      conditions.push_back(simplifier.apply(p));
      changed |= conditions.back() != p;
      if (conditions.back().is_false()) return;
    }
    if (!changed) return;
  }
}

}  // namespace whittle::proof
