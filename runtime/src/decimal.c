// Exact conversion between doubles and decimals, with plain big integers of 32-bit words, lowest first.
#include "decimal.h"

#include "powers_of_five.h"

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

// Of a number that is not zero. Without a loop: its bits may not be known.
static int leading_zeros(uint64_t x) {
  int zeros = 0;
  for (int half = 32; half > 0; half /= 2)
    if (!(x >> (64 - half))) {
      x <<= half;
      zeros += half;
    }
  return zeros;
}

double __whittle_scale(uint64_t mantissa, int exponent, _Bool sticky, _Bool* out_of_range) {
  *out_of_range = 0;
  if (!mantissa) return 0;
  const int empty = leading_zeros(mantissa);
  mantissa <<= empty;
  exponent -= empty;
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

struct product {
  uint64_t high, low;
};

static struct product multiply(uint64_t a, uint64_t b) {
  const uint64_t kLow = UINT32_MAX;
  uint64_t low = (a & kLow) * (b & kLow), cross = (a >> 32) * (b & kLow), other = (a & kLow) * (b >> 32);
  uint64_t middle = (low >> 32) + (cross & kLow) + (other & kLow);
  struct product p = {(a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32) + (middle >> 32), middle << 32 | (low & kLow)};
  return p;
}

// The nearest double of whole * 10^power, whole > 0, by the method of Eisel and Lemire: whole times the 128 leading bits of
// 5^power has all bits that rounding needs. It takes the same steps for every power, so a power that is not known costs
// no more than one that is.
static double scale_by_ten(uint64_t whole, int power, _Bool* out_of_range) {
  if (power < WHITTLE_SMALLEST_POWER || power > WHITTLE_LARGEST_POWER) {
    *out_of_range = 1;
    return power > 0 ? from_bits(UINT64_C(0x7ff) << 52) : 0;
  }
  const int empty = leading_zeros(whole);
  whole <<= empty;
  const uint64_t* five = kPowerOfFive[power - WHITTLE_SMALLEST_POWER];
  struct product p = multiply(whole, five[0]);
  if ((p.high & 0x1ff) == 0x1ff) {  // what the lower word adds could carry into the bits that count
    uint64_t more = multiply(whole, five[1]).high;
    p.low += more;
    if (p.low < more) p.high++;
  }
  const int top = (int)(p.high >> 63);
  uint64_t mantissa = p.high >> (top + 9);  // 54 bits: one more than a double has
  // The exponent field of the result, if it is a normal number; 217706 / 2^16 is close enough to log2(10).
  const int field = ((217706 * power) >> 16) + 63 + top - empty + 1023;
  if (field <= 0) {  // never exact: 5^-power does not divide a number of 64 bits
    *out_of_range = 1;
    const int drop = 1 - field;
    mantissa = drop < 64 ? mantissa >> drop : 0;
    return from_bits((mantissa + (mantissa & 1)) >> 1);
  }
  // Exactly between two doubles is possible for small powers only; then to the even one.
  if (p.low <= 1 && power >= -4 && power <= 23 && (mantissa & 3) == 1 && mantissa << (top + 9) == p.high)
    mantissa &= ~UINT64_C(1);
  mantissa = (mantissa + (mantissa & 1)) >> 1;
  // The hidden bit carries into the exponent field by itself.
  const uint64_t bits = mantissa + ((uint64_t)(field - 1) << 52);
  if (bits >> 52 < 0x7ff) return from_bits(bits);
  *out_of_range = 1;
  return from_bits(UINT64_C(0x7ff) << 52);
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
  if (count <= 19 && !sticky) {
    uint64_t whole = 0;
    for (int i = 0; i < count; i++) whole = 10 * whole + (uint64_t)digits[i];
    return scale_by_ten(whole, power, out_of_range);
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
