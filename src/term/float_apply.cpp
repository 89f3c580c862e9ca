#include "term/float_apply.h"

#include <bit>
#include <cassert>
#include <cmath>

namespace whittle::term {
namespace {

template <typename F>
struct Bits;
template <>
struct Bits<float> {
  using Type = uint32_t;
};
template <>
struct Bits<double> {
  using Type = uint64_t;
};

template <typename F>
F decode(u128 bits) {
  return std::bit_cast<F>(static_cast<typename Bits<F>::Type>(bits));
}

template <typename F>
u128 encode(F value) {
  if (std::isnan(value)) return canonical_nan(sizeof(F) * 8);
  return std::bit_cast<typename Bits<F>::Type>(value);
}

/// Truncates; the limits are powers of two, which every float format here represents exactly (2^128 as infinity).
template <typename F>
u128 to_integer(F value, unsigned width, bool is_signed) {
  if (std::isnan(value)) return out_of_range_integer(width);
  F whole = std::trunc(value);
  F upper = std::ldexp(F{1}, static_cast<int>(is_signed ? width - 1 : width));
  F lower = is_signed ? -upper : F{0};
  if (!(whole >= lower && whole < upper)) return out_of_range_integer(width);
  if (whole < 0) return static_cast<u128>(static_cast<i128>(whole)) & mask128(width);
  return static_cast<u128>(whole);
}

/// To the nearest integer, ties to even, whatever the host's rounding mode says.
template <typename F>
F round_to_even(F value) {
  F whole = std::trunc(value);
  F rest = std::fabs(value - whole);
  if (rest > F{0.5} || (rest == F{0.5} && std::fmod(whole, F{2}) != 0)) whole += std::copysign(F{1}, value);
  return std::copysign(whole, value);
}

template <typename F>
u128 operate(Op op, u128 a, u128 b) {
  const u128 sign = u128{1} << (sizeof(F) * 8 - 1);
  const F x = decode<F>(a), y = decode<F>(b);
  switch (op) {
    case Op::FAdd: return encode<F>(x + y);
    case Op::FSub: return encode<F>(x - y);
    case Op::FMul: return encode<F>(x * y);
    case Op::FDiv: return encode<F>(x / y);
    case Op::FRem: return encode<F>(std::fmod(x, y));
    case Op::FNeg: return a ^ sign;
    case Op::FAbs: return a & ~sign;
    case Op::FSqrt: return encode<F>(std::sqrt(x));
    case Op::FRound: return encode<F>(round_to_even(x));
    case Op::FFloor: return encode<F>(std::floor(x));
    case Op::FCeil: return encode<F>(std::ceil(x));
    case Op::FTrunc: return encode<F>(std::trunc(x));
    case Op::FEq: return x == y;
    case Op::FLt: return x < y;
    case Op::FLe: return x <= y;
    case Op::FIsNan: return std::isnan(x);
    default: break;
  }
  assert(false && "not an operator on floats");
  return 0;
}

template <typename F>
u128 from_integer(Op op, u128 a, unsigned operand_width) {
  if (op == Op::UIntToF) return encode<F>(static_cast<F>(a));
  return encode<F>(static_cast<F>(sign_extend128(a, operand_width)));
}

}  // namespace

u128 float_apply(Op op, unsigned width, u128 a, u128 b, unsigned operand_width) {
  switch (op) {
    case Op::FToFloat:
      if (operand_width == 32) return width == 32 ? encode<float>(decode<float>(a)) : encode<double>(decode<float>(a));
      return width == 32 ? encode<float>(static_cast<float>(decode<double>(a))) : encode<double>(decode<double>(a));
    case Op::FToUInt:
    case Op::FToSInt: {
      bool is_signed = op == Op::FToSInt;
      return operand_width == 32 ? to_integer(decode<float>(a), width, is_signed)
                                 : to_integer(decode<double>(a), width, is_signed);
    }
    case Op::UIntToF:
    case Op::SIntToF:
      return width == 32 ? from_integer<float>(op, a, operand_width) : from_integer<double>(op, a, operand_width);
    default: return operand_width == 32 ? operate<float>(op, a, b) : operate<double>(op, a, b);
  }
}

}  // namespace whittle::term
