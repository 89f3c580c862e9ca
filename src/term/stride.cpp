#include "term/stride.h"

namespace whittle::term {

Term quotient(Store& store, Term t, u128 by) {
  const unsigned w = t.width();
  if (by == 1) return t;
  auto number = [&](u128 n) { return store.constant(w, n); };
  if (sign_extend128(by, w) < 0) return store.neg(quotient(store, t, (u128{0} - by) & mask128(w)));
  auto exact = [&](auto& self, Term x) -> Term {
    if (x.is_constant()) {
      const i128 v = sign_extend128(x.value(), w);
      if (v % static_cast<i128>(by) != 0) return {};
      return number(static_cast<u128>(v / static_cast<i128>(by)));
    }
    if (x.op() == Op::Mul && x.kid(1).is_constant()) {
      const i128 factor = sign_extend128(x.kid(1).value(), w);
      if (factor % static_cast<i128>(by) != 0) return {};
      return store.mul(x.kid(0), number(static_cast<u128>(factor / static_cast<i128>(by))));
    }
    if (x.op() == Op::Shl && x.kid(1).is_constant() && x.kid(1).value() < 64) {
      const u128 factor = u128{1} << x.kid(1).value64();
      if (factor % by != 0) return {};
      return store.mul(x.kid(0), number(factor / by));
    }
    if (x.op() == Op::Neg) {
      Term part = self(self, x.kid(0));
      return part ? store.neg(part) : part;
    }
    if (x.op() != Op::Add && x.op() != Op::Sub) return {};
    Term left = self(self, x.kid(0)), right = left ? self(self, x.kid(1)) : left;
    if (!right) return {};
    return x.op() == Op::Add ? store.add(left, right) : store.sub(left, right);
  };
  if (Term found = exact(exact, t)) return found;
  if ((by & (by - 1)) == 0) {
    unsigned shift = 0;
    while (u128{1} << shift != by) ++shift;
    return store.lshr(t, number(shift));
  }
  return store.udiv(t, number(by));
}

std::vector<Stride> strides(Store& store, Term t, Term variable) {
  std::vector<Stride> found;
  for (Term read : reads(t)) {
    auto at = [&](u128 number) {
      return store.substitute(
          read.kid(0), [&](Term v) { return v == variable ? store.constant(v.width(), number) : Term(); });
    };
    const Term base = at(0);
    if (base.width() != variable.width()) continue;
    const Term scale = store.sub(at(1), base);
    if (!scale.is_constant() || scale.is_constant(0)) continue;
    if (store.add(base, store.mul(variable, scale)) != read.kid(0)) continue;
    found.push_back({base, scale.value(), read.width()});
  }
  return found;
}

u128 constant_part(Term t) {
  if (t.is_constant()) return t.value();
  if (t.op() != Op::Add && t.op() != Op::Sub) return 0;
  for (unsigned i = 0; i < 2; ++i)
    if (t.kid(i).is_constant()) return t.kid(i).value();
  return constant_part(t.kid(0));
}

}  // namespace whittle::term
