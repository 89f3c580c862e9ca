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
  bool contradicts(Term fact) const {
    auto it = known_.find(fact);
    return it != known_.end() && !it->second;
  }

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

/// Variables whose values are told by equations with constants.
class Values {
 public:
  /// Is it such an equation? Then its variables have values from now on.
  bool define(Term part) {
    if (part.op() != Op::Eq) return false;
    for (unsigned side = 0; side < 2; ++side)
      if (part.kid(side).is_constant() && fits(part.kid(1 - side))) {
        assign(part.kid(1 - side), part.kid(side).value());
        return true;
      }
    return false;
  }
  bool contradiction() const { return contradiction_; }
  bool empty() const { return values_.empty(); }
  Term apply(term::Store& store, Term t) const {
    return store.substitute(t, [&](Term v) -> Term {
      auto it = values_.find(v);
      return it == values_.end() ? Term() : store.constant(v.width(), it->second);
    });
  }

 private:
  static bool fits(Term t) {
    if (t.op() == Op::Concat) return fits(t.kid(0)) && fits(t.kid(1));
    return t.is_variable();
  }
  void assign(Term t, u128 value) {
    if (t.op() == Op::Concat) {  // the second part is the lower one
      const unsigned low = t.kid(1).width();
      assign(t.kid(0), value >> low);
      assign(t.kid(1), value & mask128(low));
      return;
    }
    auto [it, fresh] = values_.emplace(t, value);
    contradiction_ |= !fresh && it->second != value;
  }

  std::unordered_map<Term, u128> values_;
  bool contradiction_ = false;
};

/// Equations of variables with constants stay; everything else is said with these constants. True if that changed
/// anything. What is false for certain is all that is left then.
bool use_values(term::Store& store, std::vector<Term>& conditions) {
  Simplifier flat(store);
  std::vector<Term> parts, others;
  for (Term c : conditions) flat.flatten(c, parts);
  Values values;
  conditions.clear();
  for (Term p : parts) (values.define(p) ? conditions : others).push_back(p);
  bool changed = false;
  for (Term p : others) {
    Term now = values.empty() ? p : values.apply(store, p);
    changed |= now != p;
    if (!now.is_true()) conditions.push_back(now);
    if (now.is_false()) break;
  }
  if (values.contradiction()) conditions.push_back(store.falsity());
  if (!conditions.empty() && conditions.back().is_false()) conditions = {store.falsity()};
  return changed;
}

}  // namespace

void simplify_together(term::Store& store, std::vector<Term>& conditions) {
  for (int round = 0; round < 6; ++round) {
    const bool values = use_values(store, conditions);
    if (conditions.size() == 1 && conditions[0].is_false()) return;
    Simplifier simplifier(store);
    std::vector<Term> parts;
    for (Term c : conditions) simplifier.flatten(c, parts);
    // Small parts are facts that larger ones are read by; those stay as they are, so nothing is explained in a circle.
    constexpr size_t kFact = 12;
    std::vector<Term> facts, others;
    for (Term p : parts) {
      const bool fact = term::dag_size(p) <= kFact;
      (fact ? facts : others).push_back(p);
      if (fact && simplifier.contradicts(p)) {
        conditions = {store.falsity()};
        return;
      }
      if (fact) simplifier.learn(p);
    }
    bool changed = values;
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
