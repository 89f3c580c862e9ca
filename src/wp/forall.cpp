#include "wp/forall.h"

#include <algorithm>

namespace whittle::wp {

using term::Op;
using term::Term;

namespace {

bool contains(Term t, Term variable) {
  std::vector<Term> all = term::variables(t);
  return std::find(all.begin(), all.end(), variable) != all.end();
}

/// A comparison of the variable with something it does not occur in.
Term for_all_comparison(term::Store& store, Term t, bool negated, Term variable) {
  if (t.arity() != 2 || t.kid(0).width() != variable.width()) return {};
  const bool left = t.kid(0) == variable;
  const Term other = t.kid(left ? 1 : 0);
  if ((!left && t.kid(1) != variable) || contains(other, variable)) return {};
  const unsigned w = variable.width();
  const u128 most = mask128(w), signed_most = mask128(w - 1), signed_least = u128{1} << (w - 1);
  switch (t.op()) {
    case Op::Eq: return store.falsity();  // some value is equal, some is not
    case Op::Ult:                         // v < t fails for the greatest v, v >= t holds always only if t is the least
      if (!negated) return store.falsity();
      return store.eq(other, store.constant(w, left ? u128{0} : most));
    case Op::Slt:
      if (!negated) return store.falsity();
      return store.eq(other, store.constant(w, left ? signed_least : signed_most));
    default: return {};
  }
}

}  // namespace

Term for_all(term::Store& store, Term t, Term variable) {
  if (!contains(t, variable)) return t;
  for (Term read : term::reads(t))
    if (contains(read, variable)) return store.falsity();  // for other values it would read elsewhere
  if (variable.width() <= 2) {
    Term all = store.truth();
    for (u128 value = 0; value <= mask128(variable.width()); ++value)
      all = store.band(
          all, store.substitute(t, [&](Term v) { return v == variable ? store.constant(v.width(), value) : Term{}; }));
    return all;
  }
  const bool negated = t.op() == Op::Not;
  const Term inner = negated ? t.kid(0) : t;
  const Op conjunction = negated ? Op::Or : Op::And, disjunction = negated ? Op::And : Op::Or;
  auto part = [&](unsigned i) { return negated ? store.bnot(inner.kid(i)) : inner.kid(i); };
  if (inner.op() == conjunction)
    return store.band(for_all(store, part(0), variable), for_all(store, part(1), variable));
  if (inner.op() == disjunction) return store.bor(for_all(store, part(0), variable), for_all(store, part(1), variable));
  if (inner.op() == Op::Ite && !contains(inner.kid(0), variable))
    return store.ite(inner.kid(0), for_all(store, part(1), variable), for_all(store, part(2), variable));
  Term exact = for_all_comparison(store, inner, negated, variable);
  return exact ? exact : store.falsity();
}

}  // namespace whittle::wp
