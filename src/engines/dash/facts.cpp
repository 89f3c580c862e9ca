#include "engines/dash/facts.h"

namespace whittle::engines::dash {

using term::Op;

void flatten(Term t, std::vector<Term>& out) {
  if (t.width() == 1 && t.op() == Op::And) {
    flatten(t.kid(0), out);
    flatten(t.kid(1), out);
    return;
  }
  if (t.is_true()) return;
  for (Term o : out)
    if (o == t) return;
  out.push_back(t);
}

void Facts::add(Term condition) {
  std::vector<Term> parts;
  flatten(condition, parts);
  for (Term p : parts) learn(simplify(p), true);
}

void Facts::learn(Term t, bool holds) {
  if (t.is_constant()) {
    if (t.is_true() != holds) contradiction_ = true;
    return;
  }
  auto [it, fresh] = known_.emplace(t, holds);
  if (!fresh) {
    if (it->second != holds) contradiction_ = true;
    return;
  }
  known_order_.push_back(t);
  bool parts = t.op() == Op::Or || t.op() == Op::And || t.op() == Op::Ite ||
               (t.op() == Op::Not && (t.kid(0).op() == Op::And || t.kid(0).op() == Op::Ite));
  if (parts) clauses_.push_back(holds ? t : store_.bnot(t));
  if (t.op() == Op::Not) return learn(t.kid(0), !holds);
  if (t.op() == Op::And && holds) {
    learn(t.kid(0), true);
    return learn(t.kid(1), true);
  }
  if (t.op() == Op::Or && !holds) {
    learn(t.kid(0), false);
    return learn(t.kid(1), false);
  }
  if (t.op() == Op::Variable || t.op() == Op::Read) return set_value(t, store_.boolean(holds));
  if (t.op() != Op::Eq || !holds) return;
  Term a = t.kid(0), b = t.kid(1);
  bool leaf = a.op() == Op::Variable || a.op() == Op::Read;
  if (leaf && b.is_constant()) set_value(a, b);
}

void Facts::set_value(Term leaf, Term value) {
  Term& now = values_[leaf];
  values_order_.emplace_back(leaf, now);
  now = value;
}

void Facts::back_to(const Mark& mark) {
  for (; known_order_.size() > mark.known; known_order_.pop_back()) known_.erase(known_order_.back());
  for (; values_order_.size() > mark.values; values_order_.pop_back()) {
    auto [leaf, before] = values_order_.back();
    if (before)
      values_[leaf] = before;
    else
      values_.erase(leaf);
  }
  clauses_.resize(mark.clauses);
  contradiction_ = mark.contradiction;
}

Term Facts::replace(Term t) {
  if (values_.empty()) return t;
  return store_.substitute(
      t,
      [&](Term v) -> Term {
        auto it = values_.find(v);
        return it == values_.end() ? Term() : it->second;
      },
      [&](Term r) -> Term {
        auto it = values_.find(r);
        return it == values_.end() ? Term() : it->second;
      });
}

Term Facts::decide(Term t, unsigned depth) {
  if (t.is_constant()) return t;
  auto it = known_.find(t);
  if (it != known_.end()) return store_.boolean(it->second);
  return depth == 0 ? t : decide_parts(t, depth);
}

Term Facts::decide_parts(Term t, unsigned depth) {
  if (t.op() == Op::Not) {
    Term part = decide(t.kid(0), depth - 1);
    return part == t.kid(0) ? t : store_.bnot(part);
  }
  if (t.width() != 1 || (t.op() != Op::And && t.op() != Op::Or)) return t;
  const bool all = t.op() == Op::And;
  Term a = decide(t.kid(0), depth - 1);
  if (all ? a.is_false() : a.is_true()) return a;
  Term b = decide(t.kid(1), depth - 1);
  if (a == t.kid(0) && b == t.kid(1)) return t;
  return all ? store_.band(a, b) : store_.bor(a, b);
}

bool Facts::contradiction() {
  for (int round = 0; round < 4 && !contradiction_; ++round) {
    size_t before = known_.size();
    for (size_t i = 0; i < clauses_.size() && !contradiction_; ++i) {
      Term t = clauses_[i];
      Term inner = t.op() == Op::Not ? store_.bnot(decide_parts(t.kid(0), 12)) : decide_parts(t, 12);
      inner = replace(inner);
      if (inner.is_false()) contradiction_ = true;
      if (inner != t && !inner.is_constant()) learn(inner, true);
    }
    if (known_.size() == before) break;
  }
  return contradiction_;
}

Term Facts::simplify(Term t) {
  if (t.is_constant()) return t;
  Term known = decide(t, 12);
  Term replaced = replace(known);
  return replaced == known ? known : decide(replaced, 12);
}

}  // namespace whittle::engines::dash
