// Rules for ite, extract, concat, extensions and shifts.
#include <algorithm>
#include <utility>

#include "term/builder.h"
#include "term/op.h"

namespace whittle::term {
namespace {

bool is_constant_ite(Term t) { return t.op() == Op::Ite && t.kid(1).is_constant() && t.kid(2).is_constant(); }

}  // namespace

/// f(c ? 1 : 2) is c ? f(1) : f(2), and both sides fold.
Term Builder::push_into_constant_ite(Op op, unsigned width, uint32_t aux, Term a, Term b) {
  if (op == Op::Read) return {};
  auto branch = [&](Term t, unsigned i) { return t && t.op() == Op::Ite ? t.kid(i) : t; };
  Term c;
  if (is_constant_ite(a) && (!b || b.is_constant() || (is_constant_ite(b) && a.kid(0) == b.kid(0))))
    c = a.kid(0);
  else if (b && a.is_constant() && is_constant_ite(b))
    c = b.kid(0);
  if (!c) return {};
  return ite(c, make(op, width, aux, branch(a, 1), branch(b, 1)), make(op, width, aux, branch(a, 2), branch(b, 2)));
}

Term Builder::simplify_ite(Term c, Term a, Term b) {
  const unsigned w = a.width();
  if (c.is_constant()) return c.is_true() ? a : b;
  if (a == b) return a;
  if (c.op() == Op::Not) return ite(c.kid(0), b, a);
  if (w == 1)
    if (Term t = simplify_bool_ite(c, a, b)) return t;
  if (a.op() == Op::Ite && a.kid(0) == c) return ite(c, a.kid(1), b);
  if (b.op() == Op::Ite && b.kid(0) == c) return ite(c, a, b.kid(2));
  if (b.op() == Op::Ite && b.kid(1) == a) return ite(bor(c, b.kid(0)), a, b.kid(2));
  if (a.op() == Op::Ite && a.kid(2) == b) return ite(band(c, a.kid(0)), a.kid(1), b);
  if (c.op() == Op::Eq && ((c.kid(0) == a && c.kid(1) == b) || (c.kid(0) == b && c.kid(1) == a))) return b;
  if (w > 1 && a.is_constant(1) && b.is_constant(0)) return zext(c, w);
  if (w > 1 && a.is_constant(0) && b.is_constant(1)) return zext(bnot(c), w);
  auto narrow = [&](Term t, unsigned kw) { return t.op() == Op::ZExt ? t.kid(0) : constant(kw, t.value()); };
  auto source = [](Term t) { return t.op() == Op::ZExt ? t.kid(0).width() : 0; };
  if (const unsigned kw = std::max(source(a), source(b)); kw != 0) {
    auto fits = [&](Term t) { return source(t) == kw || (t.is_constant() && t.value() <= mask128(kw)); };
    if (fits(a) && fits(b)) return zext(ite(c, narrow(a, kw), narrow(b, kw)), w);
  }
  return {};
}

Term Builder::simplify_bool_ite(Term c, Term a, Term b) {
  if (a.is_true() || a == c) return bor(c, b);
  if (a.is_false()) return band(bnot(c), b);
  if (b.is_false() || b == c) return band(c, a);
  if (b.is_true()) return bor(bnot(c), a);
  if ((a.op() == Op::Not && a.kid(0) == b) || (b.op() == Op::Not && b.kid(0) == a)) return eq(c, a);
  return {};
}

Term Builder::simplify_extract(Term a, unsigned low, unsigned width) {
  switch (a.op()) {
    case Op::Extract: return extract(a.kid(0), low + a.low(), width);
    case Op::Concat: {
      const unsigned lw = a.kid(1).width();
      if (low + width <= lw) return extract(a.kid(1), low, width);
      if (low >= lw) return extract(a.kid(0), low - lw, width);
      return concat(extract(a.kid(0), 0, low + width - lw), extract(a.kid(1), low, lw - low));
    }
    case Op::ZExt: {
      const unsigned kw = a.kid(0).width();
      if (low >= kw) return constant(width, 0);
      if (low + width <= kw) return extract(a.kid(0), low, width);
      return zext(extract(a.kid(0), low, kw - low), width);
    }
    case Op::SExt: {
      const unsigned kw = a.kid(0).width();
      if (low + width <= kw) return extract(a.kid(0), low, width);
      const unsigned first = std::min(low, kw - 1);
      return sext(extract(a.kid(0), first, kw - first), width);
    }
    case Op::Mul:
      if (a.kid(1).is_constant()) {
        const u128 factor = a.kid(1).value();
        unsigned k = 0;
        while ((factor >> k & 1) == 0) ++k;
        if (low + width <= k) return constant(width, 0);
        if (factor == u128{1} << k && low >= k) return extract(a.kid(0), low - k, width);
      }
      return push_extract(a, low, width);
    default: return push_extract(a, low, width);
  }
}

/// Bitwise operators work bit by bit, and low bits of sums depend on low bits only. Worth it if a kid gets simpler.
Term Builder::push_extract(Term a, unsigned low, unsigned width) {
  const bool bitwise = a.op() == Op::And || a.op() == Op::Or || a.op() == Op::Xor || a.op() == Op::Not;
  const bool sum = a.op() == Op::Add || a.op() == Op::Sub || a.op() == Op::Mul || a.op() == Op::Neg;
  if (depth_ > kPushDepth || !(bitwise || (sum && low == 0))) return {};
  bool simpler = a.arity() == 1;
  for (unsigned i = 0; i < a.arity(); ++i) {
    Op op = a.kid(i).op();
    simpler =
        simpler || op == Op::Constant || op == Op::ZExt || op == Op::SExt || op == Op::Concat || op == Op::Extract;
  }
  if (!simpler) return {};
  Term x = extract(a.kid(0), low, width);
  return make(a.op(), width, 0, x, a.arity() == 2 ? extract(a.kid(1), low, width) : Term{});
}

Term Builder::simplify_concat(Term a, Term b) {
  const unsigned w = a.width() + b.width();
  auto adjacent = [](Term high, Term low) {
    return high.op() == Op::Extract && low.op() == Op::Extract && high.kid(0) == low.kid(0) &&
           high.low() == low.low() + low.width();
  };
  if (a.is_constant(0)) return zext(b, w);
  if (a.op() == Op::ZExt) return zext(concat(a.kid(0), b), w);
  if (a.op() == Op::SExt) return sext(concat(a.kid(0), b), w);
  if (a.op() == Op::Concat) return concat(a.kid(0), concat(a.kid(1), b));
  if (adjacent(a, b)) return extract(a.kid(0), b.low(), w);
  if (b.op() == Op::Concat) {
    Term head = b.kid(0), rest = b.kid(1);
    if ((a.is_constant() && head.is_constant()) || adjacent(a, head)) return concat(concat(a, head), rest);
  }
  return {};
}

Term Builder::simplify_extension(Op op, Term a, unsigned width) {
  if (a.op() == Op::ZExt) return zext(a.kid(0), width);
  if (op == Op::SExt && a.op() == Op::SExt) return sext(a.kid(0), width);
  return {};
}

Term Builder::simplify_shift(Op op, Term a, Term b) {
  const unsigned w = a.width();
  if (a.is_constant(0)) return a;
  if (op == Op::AShr && a.is_constant(mask128(w))) return a;
  if (!b.is_constant()) return {};
  if (b.value() == 0) return a;
  if (op != Op::AShr && b.value() >= w) return constant(w, 0);
  const unsigned k = b.value() >= w ? w - 1 : static_cast<unsigned>(b.value());
  if (op == Op::Shl) return make(Op::Mul, w, 0, a, constant(w, u128{1} << k));
  Term rest = extract(a, k, w - k);
  return op == Op::LShr ? zext(rest, w) : sext(rest, w);
}

/// Floats are bit patterns: what only looks at bits is said in bits. Integers that the format holds exactly compare and
/// convert back as integers. No algebra otherwise: x + 0 is not x for x = -0.
Term Builder::simplify_float(Op op, unsigned width, Term a, Term b) {
  const unsigned fw = a.width();
  auto exact = [](Term t) {
    return (t.op() == Op::SIntToF || t.op() == Op::UIntToF) && t.kid(0).width() <= (t.width() == 32 ? 24u : 53u);
  };
  switch (op) {
    case Op::FNeg: return bxor(a, constant(fw, u128{1} << (fw - 1)));
    case Op::FAbs: return band(a, constant(fw, mask128(fw - 1)));
    case Op::FIsNan: {
      const u128 infinity = fw == 32 ? 0x7f800000u : 0x7ff0000000000000u;
      return ult(constant(fw, infinity), band(a, constant(fw, mask128(fw - 1))));
    }
    case Op::FToSInt:
    case Op::FToUInt:
      if (!exact(a) || a.kid(0).width() > width) return {};
      if (a.op() == Op::SIntToF) return op == Op::FToSInt ? sext(a.kid(0), width) : Term{};
      if (op == Op::FToUInt || a.kid(0).width() < width) return zext(a.kid(0), width);
      return {};
    case Op::FEq:
      if (a == b) return bnot(make(Op::FIsNan, 1, 0, a));
      [[fallthrough]];
    case Op::FLt:
    case Op::FLe: {
      if (op == Op::FLt && a == b) return bit(false);
      if (!exact(a) || !exact(b) || a.op() != b.op() || a.kid(0).width() != b.kid(0).width()) return {};
      const bool is_signed = a.op() == Op::SIntToF;
      const Op integer = op == Op::FEq   ? Op::Eq
                         : op == Op::FLt ? (is_signed ? Op::Slt : Op::Ult)
                                         : (is_signed ? Op::Sle : Op::Ule);
      return make(integer, 1, 0, a.kid(0), b.kid(0));
    }
    default: return {};
  }
}

}  // namespace whittle::term
