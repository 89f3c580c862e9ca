// What values a term may have, where floats count: an interval of numbers and perhaps NaN, or an interval of integers.
//
//   Span x = Span::numbers(-1, 1);
//   Span square = span_of(Op::FMul, 32, 0, std::array{x, x}, std::array{32u, 32u}, true);   // 0 to 1, no NaN
//
// Rounding to nearest is monotone, so the ends of an interval of results are results of ends: no bound is lost to
// rounding, and every value of the operation on values of the spans lies in the result.
#pragma once

#include <limits>
#include <span>

#include "base/int128.h"
#include "term/term.h"

namespace whittle::solve {

struct Span {
  bool floating = false;
  // A float: a number from `lo` to `hi`, zero with either sign; none if lo > hi. Or NaN, if `nan`.
  bool nan = false;
  double lo = std::numeric_limits<double>::infinity(), hi = -std::numeric_limits<double>::infinity();
  // Otherwise bits, as a signed integer of their width (0 or 1 if that is one bit).
  i128 low = 0, high = 0;

  static Span numbers(double lo, double hi, bool nan = false);
  static Span integers(i128 low, i128 high);
  static Span any_float();
  static Span any_bits(unsigned width);
  static Span bits(u128 value, unsigned width);

  bool has_numbers() const { return lo <= hi; }
  bool impossible() const { return floating ? !nan && !has_numbers() : low > high; }
  bool is_true() const { return !floating && low == 1 && high == 1; }
  bool is_false() const { return !floating && low == 0 && high == 0; }
  /// Has it one value, but for the sign of zero and the bits of NaN?
  bool point() const { return floating ? (nan ? !has_numbers() : lo == hi) : low == high; }
  bool operator==(const Span&) const = default;
};

Span as_float(const Span& span, unsigned width);
Span as_bits(const Span& span, unsigned width);
/// Bits of one of its values: of the least, but for NaN.
u128 some_value(const Span& span, unsigned width);
/// Does the bit pattern lie in it?
bool contains(const Span& span, u128 value, unsigned width);
/// The next float of the width above or below.
double next_float(double x, bool up, unsigned width);

/// All results of the operator on values of the kids. `same`: kids 0 and 1 are one term.
Span span_of(term::Op op, unsigned width, unsigned low, std::span<const Span> kids, std::span<const unsigned> widths,
             bool same = false);

}  // namespace whittle::solve
