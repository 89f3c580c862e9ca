// Floating-point operators on bit patterns, computed by the host's IEEE 754 arithmetic.
#pragma once

#include "term/term.h"

namespace whittle::term {

/// The one NaN that operations produce: quiet, positive, no payload. FNeg and FAbs only touch the sign bit, as C does.
constexpr uint64_t canonical_nan(unsigned width) { return width == 32 ? 0x7fc00000u : 0x7ff8000000000000u; }

/// What FToUInt and FToSInt give for NaN and for values outside the target type: only the top bit set, as x86 does.
constexpr u128 out_of_range_integer(unsigned width) { return u128{1} << (width - 1); }

/// `width` is the result's, `operand_width` that of `a` (and `b`).
u128 float_apply(Op op, unsigned width, u128 a, u128 b, unsigned operand_width);

}  // namespace whittle::term
