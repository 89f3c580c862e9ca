// Exact conversion between doubles and decimals, with plain big integers of 32-bit words, lowest first.
#include "decimal.h"

// 10^800 times 2^64 and some room: more than any conversion here needs.
#define WORDS 128
struct big {
  int count;
  uint32_t word[WORDS];
};

static void set(struct big* b, uint64_t value) {
  b->count = 0;
  for (; value; value >>= 32) b->word[b->count++] = (uint32_t)value;
}

static void multiply_add(struct big* b, uint32_t factor, uint32_t carry) {
  uint64_t rest = carry;
  for (int i = 0; i < b->count; i++) {
    rest += (uint64_t)b->word[i] * factor;
    b->word[i] = (uint32_t)rest;
    rest >>= 32;
  }
  if (rest) b->word[b->count++] = (uint32_t)rest;
}

static uint32_t divide(struct big* b, uint32_t divisor) {
  uint64_t rest = 0;
  for (int i = b->count; i-- > 0;) {
    rest = rest << 32 | b->word[i];
    b->word[i] = (uint32_t)(rest / divisor);
    rest %= divisor;
  }
  while (b->count > 0 && b->word[b->count - 1] == 0) b->count--;
  return (uint32_t)rest;
}

static void shift_left(struct big* b, int bits) {
  for (; bits >= 31; bits -= 31) multiply_add(b, UINT32_C(1) << 31, 0);
  if (bits) multiply_add(b, UINT32_C(1) << bits, 0);
}

static int bit_length(const struct big* b) {
  if (b->count == 0) return 0;
  int bits = 32 * (b->count - 1);
  for (uint32_t top = b->word[b->count - 1]; top; top >>= 1) bits++;
  return bits;
}

static int compare(const struct big* a, const struct big* b) {
  if (a->count != b->count) return a->count < b->count ? -1 : 1;
  for (int i = a->count; i-- > 0;)
    if (a->word[i] != b->word[i]) return a->word[i] < b->word[i] ? -1 : 1;
  return 0;
}

static void subtract(struct big* a, const struct big* b) {  // a >= b
  uint64_t borrow = 0;
  for (int i = 0; i < a->count; i++) {
    uint64_t part = (uint64_t)a->word[i] - (i < b->count ? b->word[i] : 0) - borrow;
    a->word[i] = (uint32_t)part;
    borrow = part >> 63;
  }
  while (a->count > 0 && a->word[a->count - 1] == 0) a->count--;
}

static void append(struct decimal* d, uint32_t nine_digits) {
  uint32_t unit = 100000000;
  for (int i = 0; i < 9; i++, unit /= 10) {
    char digit = (char)(nine_digits / unit % 10);
    if (d->count == 0 && digit == 0)
      d->exponent--;
    else
      d->digit[d->count++] = digit;
  }
}

// The digits of an integer, most significant first.
static void append_integer(struct decimal* d, struct big* b) {
  uint32_t group[WORDS];
  int groups = 0;
  while (b->count) group[groups++] = divide(b, 1000000000);
  d->exponent += 9 * groups;
  while (groups) append(d, group[--groups]);
}

void __whittle_to_decimal(double x, struct decimal* d) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
  int exponent = (int)(bits >> 52 & 0x7ff);
  if (exponent)
    mantissa |= UINT64_C(1) << 52;
  else
    exponent = 1;
  exponent -= 1075;  // the value is mantissa * 2^exponent
  d->count = 0;
  d->exponent = 0;
  if (!mantissa) return;
  while (!(mantissa & 1) && exponent < 0) mantissa >>= 1, exponent++;
  struct big b;
  if (exponent >= 0) {
    set(&b, mantissa);
    shift_left(&b, exponent);
    append_integer(d, &b);
  } else {
    uint64_t whole = exponent > -64 ? mantissa >> -exponent : 0;
    set(&b, whole);
    append_integer(d, &b);
    // The fraction is b / 2^-exponent: nine digits per multiplication by 10^9, which pushes them above the point.
    set(&b, exponent > -64 ? mantissa & ((UINT64_C(1) << -exponent) - 1) : mantissa);
    int word = -exponent / 32, bit = -exponent % 32;
    while (b.count) {
      multiply_add(&b, 1000000000, 0);
      uint64_t above = 0;
      if (b.count > word) above = b.word[word] | (b.count > word + 1 ? (uint64_t)b.word[word + 1] << 32 : 0);
      append(d, (uint32_t)(above >> bit));
      if (b.count > word) {
        b.word[word] &= (UINT32_C(1) << bit) - 1;
        b.count = word + 1;
        while (b.count > 0 && b.word[b.count - 1] == 0) b.count--;
      }
    }
  }
  while (d->count > 0 && d->digit[d->count - 1] == 0) d->count--;
}

void __whittle_round_decimal(struct decimal* d, int count) {
  if (d->count <= count) return;
  if (count < 0) {
    d->count = 0;
    return;
  }
  int next = d->digit[count];
  _Bool odd = count > 0 && (d->digit[count - 1] & 1);
  _Bool up = next > 5 || (next == 5 && (d->count > count + 1 || odd));
  d->count = count;
  if (up) {
    while (d->count > 0 && d->digit[d->count - 1] == 9) d->count--;
    if (d->count == 0) {
      d->digit[d->count++] = 1;
      d->exponent++;
    } else {
      d->digit[d->count - 1]++;
    }
  }
  while (d->count > 0 && d->digit[d->count - 1] == 0) d->count--;
}

static double from_bits(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

double __whittle_scale(uint64_t mantissa, int exponent, _Bool sticky, _Bool* out_of_range) {
  *out_of_range = 0;
  if (!mantissa) return 0;
  while (!(mantissa >> 63)) mantissa <<= 1, exponent--;
  // Now 2^63 <= mantissa < 2^64. A normal number keeps 53 bits; below 2^-1022 fewer.
  int top = exponent + 63;
  int drop = 11;
  if (top < -1022) drop += -1022 - top;
  if (top > 1023) {
    *out_of_range = 1;
    return from_bits(UINT64_C(0x7ff) << 52);
  }
  uint64_t kept = drop < 64 ? mantissa >> drop : 0;
  uint64_t half = drop <= 64 ? UINT64_C(1) << (drop - 1) : 0;
  uint64_t below = drop < 64 ? mantissa & ((UINT64_C(1) << drop) - 1) : mantissa;
  if (half && (below > half || (below == half && (sticky || (kept & 1))))) kept++;
  // The hidden bit carries into the exponent field by itself, also when rounding goes up to a power of two.
  uint64_t bits = top < -1022 ? kept : kept + ((uint64_t)(top + 1022) << 52);
  if (top < -1022 && (below || sticky)) *out_of_range = 1;
  if (bits >> 52 == 0x7ff) *out_of_range = 1;
  return from_bits(bits);
}

double __whittle_from_decimal(const char* digits, int count, int exponent, _Bool sticky, _Bool* out_of_range) {
  *out_of_range = 0;
  if (count == 0) return 0;
  if (exponent > 310 || exponent < -330) {  // the value is 0.digits * 10^exponent
    *out_of_range = 1;
    return exponent > 0 ? from_bits(UINT64_C(0x7ff) << 52) : 0;
  }
  int power = exponent - count;
  // An integer below 2^53 and a power of ten up to 10^22 are exact as doubles, so their product or quotient is rounded once.
  if (count <= 15 && power >= -22 && power <= 22 && !sticky) {
    static const double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t whole = 0;
    for (int i = 0; i < count; i++) whole = 10 * whole + (uint64_t)digits[i];
    return power >= 0 ? (double)whole * kPowers[power] : (double)whole / kPowers[-power];
  }
  struct big numerator, denominator;
  set(&numerator, 0);
  for (int i = 0; i < count; i++) multiply_add(&numerator, 10, (uint32_t)digits[i]);
  set(&denominator, 1);
  for (; power > 0; power--) multiply_add(&numerator, 10, 0);
  for (; power < 0; power++) multiply_add(&denominator, 10, 0);
  // Scale so that the quotient has 64 bits, then divide bit by bit.
  int scale = bit_length(&denominator) - bit_length(&numerator);
  if (scale > 0)
    shift_left(&numerator, scale);
  else
    shift_left(&denominator, -scale);
  if (compare(&numerator, &denominator) < 0) {
    shift_left(&numerator, 1);
    scale++;
  }
  uint64_t quotient = 0;
  for (int i = 0; i < 64; i++) {
    quotient <<= 1;
    if (compare(&numerator, &denominator) >= 0) {
      subtract(&numerator, &denominator);
      quotient |= 1;
    }
    multiply_add(&numerator, 2, 0);
  }
  return __whittle_scale(quotient, -scale - 63, sticky || numerator.count != 0, out_of_range);
}
