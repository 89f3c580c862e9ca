// What every bit-vector operator means on values. float_apply.cpp has the floating-point ones.
#include <cassert>

#include "term/float_apply.h"
#include "term/op.h"
#include "term/term.h"

namespace whittle::term {
namespace {

u128 magnitude(i128 v) { return v < 0 ? u128{0} - static_cast<u128>(v) : static_cast<u128>(v); }

/// Division of signed values as in SMT-LIB: truncating; by magnitudes, so that the smallest value divided by -1 is
/// defined.
u128 signed_divide(u128 a, u128 b, unsigned width) {
  i128 x = sign_extend128(a, width), y = sign_extend128(b, width);
  if (y == 0) return x < 0 ? 1 : ~u128{0};
  u128 q = magnitude(x) / magnitude(y);
  return (x < 0) != (y < 0) ? u128{0} - q : q;
}

u128 signed_remainder(u128 a, u128 b, unsigned width) {
  i128 x = sign_extend128(a, width), y = sign_extend128(b, width);
  if (y == 0) return a;
  u128 r = magnitude(x) % magnitude(y);
  return x < 0 ? u128{0} - r : r;
}

u128 arithmetic_shift_right(u128 a, u128 amount, unsigned width) {
  unsigned by = amount >= width ? width - 1 : static_cast<unsigned>(amount);
  return static_cast<u128>(sign_extend128(a, width) >> by);
}

}  // namespace

u128 apply(Op op, unsigned width, std::span<const u128> kids, std::span<const unsigned> kid_widths, unsigned low) {
  const u128 a = kids.empty() ? 0 : kids[0];
  const u128 b = kids.size() < 2 ? 0 : kids[1];
  const unsigned w = kid_widths.empty() ? width : kid_widths[0];
  const u128 mask = mask128(width);
  switch (op) {
    case Op::Constant:
    case Op::Variable:
    case Op::Read: break;
    case Op::Not: return ~a & mask;
    case Op::Neg: return (u128{0} - a) & mask;
    case Op::And: return a & b;
    case Op::Or: return a | b;
    case Op::Xor: return a ^ b;
    case Op::Add: return (a + b) & mask;
    case Op::Sub: return (a - b) & mask;
    case Op::Mul: return (a * b) & mask;
    case Op::UDiv: return b == 0 ? mask : a / b;
    case Op::SDiv: return signed_divide(a, b, w) & mask;
    case Op::URem: return b == 0 ? a : a % b;
    case Op::SRem: return signed_remainder(a, b, w) & mask;
    case Op::Shl: return b >= width ? 0 : (a << static_cast<unsigned>(b)) & mask;
    case Op::LShr: return b >= width ? 0 : a >> static_cast<unsigned>(b);
    case Op::AShr: return arithmetic_shift_right(a, b, width) & mask;
    case Op::Eq: return a == b;
    case Op::Ult: return a < b;
    case Op::Ule: return a <= b;
    case Op::Slt: return sign_extend128(a, w) < sign_extend128(b, w);
    case Op::Sle: return sign_extend128(a, w) <= sign_extend128(b, w);
    case Op::Ite: return (a & 1) != 0 ? b : kids[2];
    case Op::Extract: return (a >> low) & mask;
    case Op::Concat: return a << kid_widths[1] | b;
    case Op::ZExt: return a;
    case Op::SExt: return static_cast<u128>(sign_extend128(a, w)) & mask;
    default: return float_apply(op, width, a, b, w);
  }
  assert(false && "leaves have no value of their own");
  return 0;
}

}  // namespace whittle::term
