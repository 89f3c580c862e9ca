#include "engines/dash/project.h"

#include "engines/dash/facts.h"

namespace whittle::engines::dash {

using term::Op;

namespace {

bool mentions(Term t, Term x) {
  for (Term v : term::variables(t))
    if (v == x) return true;
  return false;
}

/// x == result, from an equation whose one side is x plus or minus something.
Term solve_for(term::Store& store, Term equation, Term x) {
  if (equation.op() == Op::Variable && equation == x) return store.truth();
  if (equation.op() == Op::Not && equation.kid(0) == x) return store.falsity();
  if (equation.op() != Op::Eq) return {};
  for (int side = 0; side < 2; ++side) {
    Term a = equation.kid(static_cast<unsigned>(side)), b = equation.kid(static_cast<unsigned>(1 - side));
    if (a == x && !mentions(b, x)) return b;
    if (a.op() == Op::Add && !mentions(b, x)) {
      if (a.kid(0) == x && !mentions(a.kid(1), x)) return store.sub(b, a.kid(1));
      if (a.kid(1) == x && !mentions(a.kid(0), x)) return store.sub(b, a.kid(0));
    }
  }
  return {};
}

struct Bound {
  Term term;
  bool strict = false;
};

/// Sorts a condition on x into lower and upper bounds; false if it is none.
bool bound(Term t, Term x, Op less, std::vector<Bound>& lower, std::vector<Bound>& upper) {
  bool negated = t.op() == Op::Not;
  Term c = negated ? t.kid(0) : t;
  if (c.op() != less) return false;
  Term a = c.kid(0), b = c.kid(1);
  if (a == x && !mentions(b, x)) {
    (negated ? lower : upper).push_back({b, !negated});  // x < b, or x >= b
    return true;
  }
  if (b == x && !mentions(a, x)) {
    (negated ? upper : lower).push_back({a, !negated});
    return true;
  }
  return false;
}

bool eliminate_bounds(term::Store& store, std::vector<Term>& conditions, Term x) {
  for (Op less : {Op::Slt, Op::Ult}) {
    std::vector<Bound> lower, upper;
    std::vector<Term> rest;
    bool all = true;
    for (Term c : conditions) {
      if (!mentions(c, x))
        rest.push_back(c);
      else if (!bound(c, x, less, lower, upper)) {
        bool unequal = c.op() == Op::Not && c.kid(0).op() == Op::Eq;  // x != t removes one value: let it go
        if (!unequal) all = false;
      }
    }
    if (!all) continue;
    for (const Bound& l : lower)
      for (const Bound& u : upper) {
        bool strict = l.strict || u.strict;
        Term a = l.term, b = u.term;
        Term c = strict ? (less == Op::Slt ? store.slt(a, b) : store.ult(a, b))
                        : (less == Op::Slt ? store.sle(a, b) : store.ule(a, b));
        flatten(c, rest);
      }
    conditions = rest;
    return true;
  }
  return false;
}

/// What the condition says (or, not `holds`, what it denies) when all that it says about x may be true.
Term without(term::Store& store, Term t, Term x, bool holds) {
  if (!mentions(t, x)) return t;
  switch (t.op()) {
    case Op::And: return store.band(without(store, t.kid(0), x, holds), without(store, t.kid(1), x, holds));
    case Op::Or: return store.bor(without(store, t.kid(0), x, holds), without(store, t.kid(1), x, holds));
    case Op::Not: return store.bnot(without(store, t.kid(0), x, !holds));
    default: return store.boolean(holds);
  }
}

/// Conditions of several parts in the light of the plain ones: what is left of them mentions less.
std::vector<Term> with_facts(term::Store& store, const std::vector<Term>& conditions) {
  auto compound = [](Term t) {
    Term inner = t.op() == Op::Not ? t.kid(0) : t;
    return inner.op() == Op::And || inner.op() == Op::Or || inner.op() == Op::Ite;
  };
  Facts facts(store);
  std::vector<Term> result;
  for (Term t : conditions)
    if (!compound(t)) {
      facts.add(t);
      flatten(t, result);
    }
  for (Term t : conditions)
    if (compound(t)) flatten(facts.simplify(t), result);
  return result;
}

}  // namespace

std::vector<Term> project(term::Store& store, std::vector<Term> conditions,
                          const std::function<bool(Term variable)>& any) {
  conditions = with_facts(store, with_facts(store, conditions));
  for (Term c : conditions)
    if (c.is_false()) return {store.falsity()};
  for (;;) {
    Term x;
    for (Term c : conditions)
      for (Term v : term::variables(c))
        if (!x && any(v)) x = v;
    if (!x) break;
    // An equation tells the value.
    Term value;
    size_t equation = 0;
    for (size_t i = 0; i < conditions.size() && !value; ++i)
      if (mentions(conditions[i], x)) {
        value = solve_for(store, conditions[i], x);
        equation = i;
      }
    if (value) {
      std::vector<Term> next;
      for (size_t i = 0; i < conditions.size(); ++i)
        if (i != equation)
          flatten(store.substitute(conditions[i], [&](Term v) { return v == x ? value : Term(); }), next);
      conditions = std::move(next);
    } else if (!eliminate_bounds(store, conditions, x)) {
      std::vector<Term> weaker;
      for (Term c : conditions) flatten(without(store, c, x, true), weaker);
      conditions = std::move(weaker);
    }
    for (Term c : conditions)
      if (c.is_false()) return {store.falsity()};
  }
  return conditions;
}

}  // namespace whittle::engines::dash
