#include "solve/span.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "term/float_apply.h"
#include "term/op.h"

namespace whittle::solve {

using term::Op;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double decode(u128 bits, unsigned width) {
  if (width == 32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return std::bit_cast<double>(static_cast<uint64_t>(bits));
}

u128 encode(double value, unsigned width) {
  if (width == 32) return std::bit_cast<uint32_t>(static_cast<float>(value));
  return std::bit_cast<uint64_t>(value);
}

i128 least(unsigned width) { return width == 1 ? 0 : static_cast<i128>(~u128{0} << (width - 1)); }
i128 most(unsigned width) { return width == 1 ? 1 : static_cast<i128>(mask128(width - 1)); }

i128 to_signed(u128 value, unsigned width) {
  return width == 1 ? static_cast<i128>(value & 1) : sign_extend128(value, width);
}

Span fitting(i128 low, i128 high, unsigned width) {
  if (low < least(width) || high > most(width)) return Span::any_bits(width);
  return Span::integers(low, high);
}

Span truth(bool may_be_true, bool may_be_false) { return Span::integers(may_be_false ? 0 : 1, may_be_true ? 1 : 0); }

/// As unsigned numbers; none if they lie on both sides of zero, or are wider than words.
std::optional<std::pair<i128, i128>> as_unsigned(const Span& s, unsigned width) {
  if (width > 64) return std::nullopt;
  const i128 all = i128{1} << width;
  if (s.low >= 0) return std::pair(s.low, s.high);
  if (s.high < 0) return std::pair(s.low + all, s.high + all);
  return std::nullopt;
}

std::pair<i128, i128> unsigned_or_any(const Span& s, unsigned width) {
  if (auto known = as_unsigned(s, width)) return *known;
  return {0, (i128{1} << width) - 1};
}

Span from_unsigned(i128 low, i128 high, unsigned width) {
  if (width == 1 || high <= most(width)) return Span::integers(low, high);
  const i128 all = i128{1} << width;
  if (low > most(width)) return Span::integers(low - all, high - all);
  return Span::any_bits(width);
}

// Floats

template <typename F>
double add(double a, double b) {
  return static_cast<F>(a) + static_cast<F>(b);
}
template <typename F>
double multiply(double a, double b) {
  return static_cast<F>(a) * static_cast<F>(b);
}
template <typename F>
double divide(double a, double b) {
  return static_cast<F>(a) / static_cast<F>(b);
}

bool has_zero(const Span& s) { return s.lo <= 0 && s.hi >= 0; }
bool has_infinity(const Span& s) { return s.has_numbers() && (s.lo == -kInfinity || s.hi == kInfinity); }

/// The hull of what ends give. Where ends have no result (0 * inf), values next to them may have any sign: zero.
template <typename Operation>
Span of_corners(const Span& a, const Span& b, Operation operation) {
  Span result = Span::numbers(kInfinity, -kInfinity);
  for (double x : {a.lo, a.hi})
    for (double y : {b.lo, b.hi}) {
      double z = operation(x, y);
      if (std::isnan(z)) z = 0;
      result.lo = std::min(result.lo, z), result.hi = std::max(result.hi, z);
    }
  return result;
}

template <typename F>
Span arithmetic(Op op, const Span& a, Span b, bool same) {
  Span result = Span::numbers(kInfinity, -kInfinity);
  if (a.has_numbers() && b.has_numbers()) {
    if (op == Op::FSub) b = Span::numbers(-b.hi, -b.lo, b.nan);
    if (op == Op::FAdd || op == Op::FSub) {
      result.lo = add<F>(a.lo, b.lo), result.hi = add<F>(a.hi, b.hi);
      // Least values without a sum: one of the two is always inf, and so is what is a number. The same of -inf.
      if (std::isnan(result.lo)) result.lo = kInfinity;
      if (std::isnan(result.hi)) result.hi = -kInfinity;
      result.nan = (a.hi == kInfinity && b.lo == -kInfinity) || (a.lo == -kInfinity && b.hi == kInfinity);
    } else if (op == Op::FMul && same) {
      const double near = has_zero(a) ? 0 : std::min(std::fabs(a.lo), std::fabs(a.hi));
      const double far = std::max(std::fabs(a.lo), std::fabs(a.hi));
      result = Span::numbers(multiply<F>(near, near), multiply<F>(far, far));
    } else if (op == Op::FMul) {
      result = of_corners(a, b, multiply<F>);
      result.nan = (has_zero(a) && has_infinity(b)) || (has_zero(b) && has_infinity(a));
    } else if (has_zero(b)) {
      result = Span::numbers(-kInfinity, kInfinity, has_zero(a) || (has_infinity(a) && has_infinity(b)));
    } else {
      result = of_corners(a, b, divide<F>);
      result.nan = has_infinity(a) && has_infinity(b);
    }
  }
  result.nan |= a.nan || b.nan;
  return result;
}

/// Of an operator that is monotone: rounding, square roots.
Span monotone(Op op, unsigned width, const Span& a, unsigned operand_width) {
  Span result = Span::numbers(kInfinity, -kInfinity, a.nan);
  Span from = a;
  if (op == Op::FSqrt) {
    result.nan |= a.has_numbers() && a.lo < 0;
    from.lo = std::max(from.lo, 0.0);
  }
  if (!from.has_numbers()) return result;
  auto apply = [&](double x) {
    return decode(term::float_apply(op, width, encode(x, operand_width), 0, operand_width), width);
  };
  result.lo = apply(from.lo), result.hi = apply(from.hi);
  return result;
}

Span to_integer(Op op, unsigned width, const Span& a) {
  if (a.nan || !a.has_numbers() || width > 64 || width == 1) return Span::any_bits(width);
  const bool is_signed = op == Op::FToSInt;
  const double upper = std::ldexp(1.0, static_cast<int>(is_signed ? width - 1 : width));
  const double lower = is_signed ? -upper : 0.0;
  const double from = std::trunc(a.lo), to = std::trunc(a.hi);
  if (!(from >= lower && to < upper)) return Span::any_bits(width);
  if (is_signed) return Span::integers(static_cast<i128>(from), static_cast<i128>(to));
  return from_unsigned(static_cast<i128>(from), static_cast<i128>(to), width);
}

Span from_integer(Op op, unsigned width, const Span& a, unsigned operand_width) {
  if (operand_width > 64 || operand_width == 1) return Span::any_float();
  std::pair<i128, i128> range{a.low, a.high};
  if (op == Op::UIntToF) range = unsigned_or_any(a, operand_width);
  auto apply = [&](i128 x) {
    return decode(
        term::float_apply(op, width, static_cast<u128>(x) & mask128(operand_width), 0, operand_width), width);
  };
  return Span::numbers(apply(range.first), apply(range.second));
}

Span compare_floats(Op op, const Span& a, const Span& b) {
  const bool numbers = a.has_numbers() && b.has_numbers();
  const bool nan = a.nan || b.nan;
  switch (op) {
    case Op::FLt: return truth(numbers && a.lo < b.hi, nan || a.hi >= b.lo);
    case Op::FLe: return truth(numbers && a.lo <= b.hi, nan || a.hi > b.lo);
    default: return truth(numbers && a.lo <= b.hi && b.lo <= a.hi, nan || !(a.point() && b.point() && a.lo == b.lo));
  }
}

std::optional<Span> float_operation(Op op, unsigned width, std::span<const Span> kids, std::span<const unsigned> widths,
                                    bool same) {
  if (op == Op::UIntToF || op == Op::SIntToF) return from_integer(op, width, as_bits(kids[0], widths[0]), widths[0]);
  const unsigned w = widths[0];
  if (w != 32 && w != 64) return std::nullopt;
  const Span a = as_float(kids[0], w), b = kids.size() > 1 ? as_float(kids[1], w) : Span();
  switch (op) {
    case Op::FAdd:
    case Op::FSub:
    case Op::FMul:
    case Op::FDiv: return w == 32 ? arithmetic<float>(op, a, b, same) : arithmetic<double>(op, a, b, same);
    case Op::FRem: return Span::any_float();
    case Op::FNeg: return Span::numbers(-a.hi, -a.lo, a.nan);
    case Op::FAbs:
      if (!a.has_numbers()) return a;
      return Span::numbers(has_zero(a) ? 0 : std::min(std::fabs(a.lo), std::fabs(a.hi)),
                           std::max(std::fabs(a.lo), std::fabs(a.hi)), a.nan);
    case Op::FSqrt:
    case Op::FRound:
    case Op::FFloor:
    case Op::FCeil:
    case Op::FTrunc:
    case Op::FToFloat: return monotone(op, width, a, w);
    case Op::FEq:
    case Op::FLt:
    case Op::FLe: return compare_floats(op, a, b);
    case Op::FIsNan: return truth(a.nan, a.has_numbers());
    case Op::FToUInt:
    case Op::FToSInt: return to_integer(op, width, a);
    default: return std::nullopt;
  }
}

// Bits

Span compare_bits(Op op, Span a, Span b, unsigned width) {
  if (op == Op::Eq)
    return truth(a.low <= b.high && b.low <= a.high, !(a.point() && b.point() && a.low == b.low));
  const bool is_unsigned = op == Op::Ult || op == Op::Ule;
  if (is_unsigned) {
    if (width > 64) return truth(true, true);
    auto x = unsigned_or_any(a, width), y = unsigned_or_any(b, width);
    a = Span::integers(x.first, x.second), b = Span::integers(y.first, y.second);
  } else if (width == 1) {
    return truth(true, true);
  }
  if (op == Op::Ult || op == Op::Slt) return truth(a.low < b.high, a.high >= b.low);
  return truth(a.low <= b.high, a.high > b.low);
}

Span logic(Op op, const Span& a, const Span& b) {
  switch (op) {
    case Op::And: return Span::integers(a.low & b.low, a.high & b.high);
    case Op::Or: return Span::integers(a.low | b.low, a.high | b.high);
    default:
      if (!a.point() || !b.point()) return Span::integers(0, 1);
      return Span::integers(a.low ^ b.low, a.low ^ b.low);
  }
}

Span sums(Op op, const Span& a, const Span& b, unsigned width) {
  if (op == Op::Add) return fitting(a.low + b.low, a.high + b.high, width);
  if (op == Op::Sub) return fitting(a.low - b.high, a.high - b.low, width);
  if (width > 32) return Span::any_bits(width);
  const i128 corners[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return fitting(*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4), width);
}

Span bit_operation(Op op, unsigned width, unsigned low, const Span& a, const Span& b, unsigned operand_width) {
  switch (op) {
    case Op::Not:
      if (width == 1) return Span::integers(1 - a.high, 1 - a.low);
      return Span::integers(-1 - a.high, -1 - a.low);
    case Op::Neg: return width == 1 || width > 64 ? Span::any_bits(width) : fitting(-a.high, -a.low, width);
    case Op::And:
    case Op::Or:
    case Op::Xor:
      if (width == 1) return logic(op, a, b);
      if (op == Op::And && width <= 64 && (a.low >= 0 || b.low >= 0))
        return Span::integers(0, a.low < 0 ? b.high : b.low < 0 ? a.high : std::min(a.high, b.high));
      return Span::any_bits(width);
    case Op::Add:
    case Op::Sub:
    case Op::Mul: return width == 1 || width > 64 ? Span::any_bits(width) : sums(op, a, b, width);
    case Op::Eq:
    case Op::Ult:
    case Op::Ule:
    case Op::Slt:
    case Op::Sle: return compare_bits(op, a, b, operand_width);
    case Op::SExt:
      if (operand_width == 1) return Span::integers(-a.high, -a.low);
      return a;
    case Op::ZExt:
      if (width > 64 || operand_width > 63) return Span::any_bits(width);
      return from_unsigned(unsigned_or_any(a, operand_width).first, unsigned_or_any(a, operand_width).second, width);
    case Op::Extract:
      if (low == 0 && width > 1 && a.low >= least(width) && a.high <= most(width)) return a;
      if (low == operand_width - 1 && operand_width > 1) return truth(a.low < 0, a.high >= 0);
      return Span::any_bits(width);
    default: return Span::any_bits(width);
  }
}

Span choice(const Span& condition, const Span& then, const Span& otherwise, unsigned width) {
  if (condition.is_true()) return then;
  if (condition.is_false()) return otherwise;
  if (then.floating || otherwise.floating) {
    const Span a = as_float(then, width), b = as_float(otherwise, width);
    return Span::numbers(std::min(a.lo, b.lo), std::max(a.hi, b.hi), a.nan || b.nan);
  }
  return Span::integers(std::min(then.low, otherwise.low), std::max(then.high, otherwise.high));
}

}  // namespace

Span Span::numbers(double lo, double hi, bool nan) {
  Span s;
  s.floating = true, s.lo = lo, s.hi = hi, s.nan = nan;
  return s;
}

Span Span::integers(i128 low, i128 high) {
  Span s;
  s.low = low, s.high = high;
  return s;
}

Span Span::any_float() { return numbers(-kInfinity, kInfinity, true); }
Span Span::any_bits(unsigned width) { return integers(least(width), most(width)); }
Span Span::bits(u128 value, unsigned width) { return integers(to_signed(value, width), to_signed(value, width)); }

Span as_float(const Span& span, unsigned width) {
  if (span.floating) return span;
  const u128 infinity = encode(kInfinity, width), sign = u128{1} << (width - 1), all = mask128(width);
  Span result = Span::numbers(kInfinity, -kInfinity);
  auto take = [&](u128 from, u128 to, bool numbers) {  // of bit patterns with one sign
    const i128 low = std::max(span.low, to_signed(from, width)), high = std::min(span.high, to_signed(to, width));
    if (low > high) return;
    result.nan |= !numbers;
    if (!numbers) return;
    const double x = decode(static_cast<u128>(low) & all, width), y = decode(static_cast<u128>(high) & all, width);
    result.lo = std::min({result.lo, x, y}), result.hi = std::max({result.hi, x, y});
  };
  take(0, infinity, true);
  take(infinity + 1, sign - 1, false);
  take(sign, sign | infinity, true);
  take((sign | infinity) + 1, all, false);
  return result;
}

Span as_bits(const Span& span, unsigned width) {
  if (!span.floating) return span;
  if (span.nan || !span.has_numbers() || has_zero(span)) return Span::any_bits(width);
  const i128 x = to_signed(encode(span.lo, width), width), y = to_signed(encode(span.hi, width), width);
  return Span::integers(std::min(x, y), std::max(x, y));
}

u128 some_value(const Span& span, unsigned width) {
  if (!span.floating) return static_cast<u128>(span.low) & mask128(width);
  return span.has_numbers() ? encode(span.lo, width) : term::canonical_nan(width);
}

bool contains(const Span& span, u128 value, unsigned width) {
  if (!span.floating) return to_signed(value, width) >= span.low && to_signed(value, width) <= span.high;
  const double x = decode(value, width);
  return std::isnan(x) ? span.nan : span.lo <= x && x <= span.hi;
}

double next_float(double x, bool up, unsigned width) {
  const double to = up ? kInfinity : -kInfinity;
  return width == 32 ? std::nextafter(static_cast<float>(x), static_cast<float>(to)) : std::nextafter(x, to);
}

Span span_of(Op op, unsigned width, unsigned low, std::span<const Span> kids, std::span<const unsigned> widths,
             bool same) {
  if (op == Op::Ite) return choice(kids[0], kids[1], kids[2], width);
  if (term::is_float_op(op)) {
    if (auto result = float_operation(op, width, kids, widths, same)) return *result;
    return Span::any_bits(width);
  }
  // Equal bits are equal numbers, but for NaN.
  if (op == Op::Eq && kids[0].floating && kids[1].floating && kids[0].has_numbers() && kids[1].has_numbers() &&
      !(kids[0].nan && kids[1].nan) && (kids[0].hi < kids[1].lo || kids[1].hi < kids[0].lo))
    return truth(false, true);
  Span bits[3];
  bool exact = true;
  u128 values[3] = {};
  for (size_t i = 0; i < kids.size(); ++i) {
    bits[i] = as_bits(kids[i], widths[i]);
    exact &= bits[i].point();
    values[i] = static_cast<u128>(bits[i].low) & mask128(widths[i]);
  }
  if (exact) return Span::bits(term::apply(op, width, std::span(values, kids.size()), widths, low), width);
  return bit_operation(op, width, low, bits[0], bits[1], widths[0]);
}

}  // namespace whittle::solve
