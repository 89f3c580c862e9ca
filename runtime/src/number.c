// From text to numbers: strtol and its relatives, strtod, atoi.
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "decimal.h"
#include "primitives.h"

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

static _Bool bad_base(int base) {
  if (base == 0 || (base >= 2 && base <= 36)) return 0;
  errno = EINVAL;
  return 1;
}

// Magnitude and sign; `too_large` if it does not fit 64 bits.
static uint64_t parse(const char* text, char** end, int base, _Bool* negative, _Bool* too_large) {
  const char* p = text;
  *negative = *too_large = 0;
  while (is_space(*p)) p++;
  if (*p == '-' || *p == '+') *negative = *p++ == '-';
  if ((base == 0 || base == 16) && p[0] == '0' && (p[1] | 32) == 'x' && digit_value(p[2]) < 16) {
    base = 16;
    p += 2;
  } else if (base == 0) {
    base = *p == '0' ? 8 : 10;
  }
  const char* first = p;
  uint64_t value = 0;
  for (int digit; (digit = digit_value(*p)) < base; p++) {
    uint64_t next = value * (uint64_t)base + (uint64_t)digit;
    if (value > (UINT64_MAX - (uint64_t)digit) / (uint64_t)base) *too_large = 1;
    value = next;
  }
  if (end) *end = (char*)(p == first ? text : p);
  return value;
}

static int64_t parse_signed(const char* text, char** end, int base, int64_t low, int64_t high) {
  _Bool negative, too_large;
  if (bad_base(base)) return 0;
  uint64_t value = parse(text, end, base, &negative, &too_large);
  uint64_t limit = negative ? -(uint64_t)low : (uint64_t)high;
  if (too_large || value > limit) {
    errno = ERANGE;
    return negative ? low : high;
  }
  return (int64_t)(negative ? -value : value);
}
static uint64_t parse_unsigned(const char* text, char** end, int base, uint64_t high) {
  _Bool negative, too_large;
  if (bad_base(base)) return 0;
  uint64_t value = parse(text, end, base, &negative, &too_large);
  if (too_large || value > high) {
    errno = ERANGE;
    return high;
  }
  return negative ? -value : value;
}

#define SIGNED(name, type, low, high) \
  type name(const char* text, char** end, int base) { return (type)parse_signed(text, end, base, low, high); }
#define UNSIGNED(name, type, high) \
  type name(const char* text, char** end, int base) { return (type)parse_unsigned(text, end, base, high); }
SIGNED(strtol, long, LONG_MIN, LONG_MAX)
SIGNED(strtoll, long long, LLONG_MIN, LLONG_MAX)
SIGNED(strtoimax, intmax_t, LLONG_MIN, LLONG_MAX)
SIGNED(__isoc23_strtol, long, LONG_MIN, LONG_MAX)
SIGNED(__isoc23_strtoll, long long, LLONG_MIN, LLONG_MAX)
UNSIGNED(strtoul, unsigned long, ULONG_MAX)
UNSIGNED(strtoull, unsigned long long, ULLONG_MAX)
UNSIGNED(strtoumax, uintmax_t, ULLONG_MAX)
UNSIGNED(__isoc23_strtoul, unsigned long, ULONG_MAX)
UNSIGNED(__isoc23_strtoull, unsigned long long, ULLONG_MAX)
int atoi(const char* text) { return (int)strtol(text, 0, 10); }
long atol(const char* text) { return strtol(text, 0, 10); }
long long atoll(const char* text) { return strtoll(text, 0, 10); }

static _Bool matches(const char* p, const char* word) {
  for (; *word; p++, word++)
    if ((*p | 32) != *word) return 0;
  return 1;
}

// An exponent such as e-12, if one is there.
static const char* parse_exponent(const char* p, char letter, int* exponent) {
  if ((*p | 32) != letter) return p;
  const char* q = p + 1;
  _Bool negative = *q == '-';
  if (*q == '-' || *q == '+') q++;
  if (*q < '0' || *q > '9') return p;
  int value = 0;
  for (; *q >= '0' && *q <= '9'; q++)
    if (value < 100000) value = value * 10 + (*q - '0');
  *exponent += negative ? -value : value;
  return q;
}

static double parse_decimal(const char* p, const char** end, _Bool* out_of_range) {
  char digits[WHITTLE_DIGITS];
  int count = 0, exponent = 0;
  _Bool sticky = 0, seen = 0, point = 0;
  for (;; p++) {
    if (*p == '.' && !point) {
      point = 1;
      continue;
    }
    if (*p < '0' || *p > '9') break;
    seen = 1;
    if (count == 0 && *p == '0') {
      exponent -= point;
      continue;
    }
    if (count < WHITTLE_DIGITS)
      digits[count++] = (char)(*p - '0');
    else
      sticky |= *p != '0';
    exponent += !point;
  }
  if (!seen) return 0;
  *end = parse_exponent(p, 'e', &exponent);
  while (!sticky && count > 0 && digits[count - 1] == 0) count--;
  return __whittle_from_decimal(digits, count, exponent, sticky, out_of_range);
}

static double parse_hexadecimal(const char* p, const char** end, _Bool* out_of_range) {
  uint64_t mantissa = 0;
  int exponent = 0;
  _Bool sticky = 0, seen = 0, point = 0;
  for (;; p++) {
    if (*p == '.' && !point) {
      point = 1;
      continue;
    }
    int digit = digit_value(*p);
    if (digit > 15) break;
    seen = 1;
    if (mantissa >> 60) {
      sticky |= digit != 0;
      exponent += point ? 0 : 4;
    } else {
      mantissa = mantissa << 4 | (uint64_t)digit;
      exponent -= point ? 4 : 0;
    }
  }
  if (!seen) return 0;
  *end = parse_exponent(p, 'p', &exponent);
  return __whittle_scale(mantissa, exponent, sticky, out_of_range);
}

static double parse_double(const char* text, char** end, _Bool* out_of_range) {
  const char *p = text, *after = 0;
  double value = 0;
  *out_of_range = 0;
  while (is_space(*p)) p++;
  _Bool negative = *p == '-';
  if (*p == '-' || *p == '+') p++;
  if (matches(p, "inf")) {
    after = p + (matches(p, "infinity") ? 8 : 3);
    value = __builtin_inf();
  } else if (matches(p, "nan")) {
    after = p + 3;
    value = __builtin_nan("");
    if (*after == '(') {  // nan(abc_1)
      const char* last = after + 1;
      while (digit_value(*last) < 36 || *last == '_') last++;
      if (*last == ')') {
        if (last != after + 1) __whittle_unsupported("strtod of a nan(...) with a payload");
        after = last + 1;
      }
    }
  } else if (p[0] == '0' && (p[1] | 32) == 'x') {
    value = parse_hexadecimal(p + 2, &after, out_of_range);
    if (!after) after = p + 1;
  } else {
    value = parse_decimal(p, &after, out_of_range);
  }
  if (end) *end = (char*)(after ? after : text);
  return negative && after ? -value : value;
}

double strtod(const char* text, char** end) {
  _Bool out_of_range;
  double value = parse_double(text, end, &out_of_range);
  if (out_of_range) errno = ERANGE;
  return value;
}
// By way of double: a text whose nearest double lies exactly between two floats may round the wrong way.
float strtof(const char* text, char** end) {
  _Bool out_of_range;
  double value = parse_double(text, end, &out_of_range);
  float narrow = (float)value;
  if (out_of_range || (__builtin_isinf(narrow) && !__builtin_isinf(value))) errno = ERANGE;
  return narrow;
}
long double strtold(const char* text, char** end) {
  (void)text, (void)end;
  __whittle_unsupported("strtold");
}
double atof(const char* text) { return strtod(text, 0); }
