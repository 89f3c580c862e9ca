// Doubles as exact decimals, both ways: what printf and strtod need to round correctly.
#ifndef WHITTLE_DECIMAL_H
#define WHITTLE_DECIMAL_H

#include "primitives.h"

// The value 0.d1 d2 d3 ... * 10^exponent, without leading or trailing zeros; zero has no digits.
// A double has at most 767 significant digits.
#define WHITTLE_DIGITS 800
struct decimal {
  int count;
  int exponent;
  char digit[WHITTLE_DIGITS];  // 0 to 9
};

// Of a finite number, its sign ignored.
void __whittle_to_decimal(double x, struct decimal* d);
// Keeps the first `count` digits (possibly 0 or fewer: the value then is below half a unit, or rounds up to one); half
// to even.
void __whittle_round_decimal(struct decimal* d, int count);
// The nearest double of digits * 10^(exponent - count); `sticky`: more digits followed, not all zero.
double __whittle_from_decimal(const char* digits, int count, int exponent, _Bool sticky, _Bool* out_of_range);
// The nearest double of mantissa * 2^exponent.
double __whittle_scale(uint64_t mantissa, int exponent, _Bool sticky, _Bool* out_of_range);

#endif
