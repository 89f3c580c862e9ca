// Rules for comparisons.
#include <algorithm>
#include <utility>

#include "term/builder.h"
#include "term/op.h"

namespace whittle::term {

Term Builder::simplify_eq(Term a, Term b) {
  const unsigned w = a.width();
  if (a == b) return bit(true);
  if (w == 1) {
    if (b.is_constant()) return b.is_true() ? a : bnot(a);
    if (a.op() == Op::Not) return bnot(eq(a.kid(0), b));
    if (b.op() == Op::Not) return bnot(eq(a, b.kid(0)));
    return {};
  }
  if (Term t = simplify_eq_sums(a, b)) return t;
  if (b.is_constant()) return simplify_eq_constant(a, b.value());
  if (a.op() == b.op() && (a.op() == Op::ZExt || a.op() == Op::SExt)) {
    Term x = a.kid(0), y = b.kid(0);
    const unsigned wide = std::max(x.width(), y.width());
    return a.op() == Op::ZExt ? eq(zext(x, wide), zext(y, wide)) : eq(sext(x, wide), sext(y, wide));
  }
  if (a.op() == Op::Concat && b.op() == Op::Concat && a.kid(1).width() == b.kid(1).width())
    return band(eq(a.kid(0), b.kid(0)), eq(a.kid(1), b.kid(1)));
  for (auto [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
    if (x.op() != Op::Ite) continue;
    if (x.kid(1) == y) return bor(x.kid(0), eq(x.kid(2), y));
    if (x.kid(2) == y) return bor(bnot(x.kid(0)), eq(x.kid(1), y));
  }
  return {};
}

Term Builder::simplify_eq_constant(Term a, u128 value) {
  const unsigned w = a.width();
  switch (a.op()) {
    case Op::ZExt: {
      const unsigned kw = a.kid(0).width();
      return value >> kw != 0 ? bit(false) : eq(a.kid(0), constant(kw, value));
    }
    case Op::SExt: {
      const unsigned kw = a.kid(0).width();
      bool fits = (static_cast<u128>(sign_extend128(value, kw)) & mask128(w)) == value;
      return fits ? eq(a.kid(0), constant(kw, value)) : bit(false);
    }
    case Op::Concat: {
      const unsigned lw = a.kid(1).width();
      return band(eq(a.kid(0), constant(w - lw, value >> lw)), eq(a.kid(1), constant(lw, value)));
    }
    case Op::Xor:
      if (a.kid(1).is_constant()) return eq(a.kid(0), constant(w, value ^ a.kid(1).value()));
      return {};
    case Op::And:
      if (a.kid(1).is_constant() && (value & ~a.kid(1).value()) != 0) return bit(false);
      return {};
    case Op::Or:
      if (a.kid(1).is_constant() && (a.kid(1).value() & ~value) != 0) return bit(false);
      return {};
    case Op::Ite: {
      Term c = a.kid(0), x = a.kid(1), y = a.kid(2), v = constant(w, value);
      if (x.is_constant()) return x == v ? bor(c, eq(y, v)) : band(bnot(c), eq(y, v));
      if (y.is_constant()) return y == v ? bor(bnot(c), eq(x, v)) : band(c, eq(x, v));
      return {};
    }
    default: return {};
  }
}

Term Builder::simplify_less(Op op, Term a, Term b) {
  switch (op) {
    case Op::Ule: return bnot(ult(b, a));
    case Op::Sle: return bnot(slt(b, a));
    case Op::Ult: return simplify_ult(a, b);
    default: return simplify_slt(a, b);
  }
}

Term Builder::simplify_ult(Term a, Term b) {
  const unsigned w = a.width();
  const u128 most = mask128(w);
  if (a == b || b.is_constant(0) || a.is_constant(most)) return bit(false);
  if (a.is_constant()) return bnot(ult(b, constant(w, a.value() + 1)));
  if (b.is_constant(1)) return eq(a, constant(w, 0));
  if (b.is_constant(most)) return bnot(eq(a, b));
  if (a.op() == Op::ZExt && b.is_constant()) {
    const unsigned kw = a.kid(0).width();
    return b.value() > mask128(kw) ? bit(true) : ult(a.kid(0), constant(kw, b.value()));
  }
  if (a.op() == b.op() && (a.op() == Op::ZExt || a.op() == Op::SExt)) {
    // Both extensions keep the unsigned order.
    Term x = a.kid(0), y = b.kid(0);
    const unsigned wide = std::max(x.width(), y.width());
    return a.op() == Op::ZExt ? ult(zext(x, wide), zext(y, wide)) : ult(sext(x, wide), sext(y, wide));
  }
  if (a.op() == Op::URem && b.is_constant() && a.kid(1).is_constant() && a.kid(1).value() != 0 &&
      a.kid(1).value() <= b.value())
    return bit(true);
  return {};
}

Term Builder::simplify_slt(Term a, Term b) {
  const unsigned w = a.width();
  const u128 least = u128{1} << (w - 1), most = mask128(w - 1);
  if (a == b || b.is_constant(least) || a.is_constant(most)) return bit(false);
  if (a.is_constant()) return bnot(slt(b, constant(w, a.value() + 1)));
  if (b.is_constant(least + 1)) return eq(a, constant(w, least));
  if (b.is_constant(most)) return bnot(eq(a, b));
  if (b.is_constant() && a.op() == Op::ZExt) {
    const unsigned kw = a.kid(0).width();
    if (sign_extend128(b.value(), w) < 0) return bit(false);
    return b.value() > mask128(kw) ? bit(true) : ult(a.kid(0), constant(kw, b.value()));
  }
  if (b.is_constant() && a.op() == Op::SExt) {
    const unsigned kw = a.kid(0).width();
    i128 limit = sign_extend128(b.value(), w);
    if (limit > static_cast<i128>(mask128(kw - 1))) return bit(true);
    if (limit < sign_extend128(u128{1} << (kw - 1), kw)) return bit(false);
    return slt(a.kid(0), constant(kw, b.value()));
  }
  if (a.op() == b.op() && (a.op() == Op::ZExt || a.op() == Op::SExt)) {
    Term x = a.kid(0), y = b.kid(0);
    const unsigned wide = std::max(x.width(), y.width());
    return a.op() == Op::ZExt ? ult(zext(x, wide), zext(y, wide)) : slt(sext(x, wide), sext(y, wide));
  }
  return {};
}

}  // namespace whittle::term
