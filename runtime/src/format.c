// printf's format language: flags, width, precision, length; d i u o x X c s p n % f F e E g G a A.
#define _GNU_SOURCE
#include "format.h"

#include <errno.h>
#include <string.h>
#include <wchar.h>

#include "decimal.h"

void __whittle_flush(struct sink* sink) {
  if (sink->descriptor < 0 || sink->used == 0) return;
  __whittle_output(sink->descriptor, sink->buffer, sink->used);
  sink->used = 0;
}

void __whittle_emit(struct sink* sink, char c) {
  if (sink->used == sink->capacity) __whittle_flush(sink);
  if (sink->used < sink->capacity) sink->buffer[sink->used++] = c;
  sink->total++;
}

struct spec {
  _Bool left, plus, space, alternate, zero;
  int width;
  int precision;  // -1: none given
  int length;     // 0, 'h', 'H' (hh), 'l', 'q' (ll), 'j', 'z', 't', 'L'
  char conversion;
};

static void repeat(struct sink* sink, char c, int count) {
  while (count-- > 0) __whittle_emit(sink, c);
}

// prefix, zeros, digits, padded to the width.
static void put_number(struct sink* sink, const struct spec* spec, const char* prefix, const char* digits, int count,
                       int zeros) {
  int padding = spec->width - (int)strlen(prefix) - count - zeros;
  if (!spec->left && !spec->zero) repeat(sink, ' ', padding);
  for (const char* p = prefix; *p; p++) __whittle_emit(sink, *p);
  if (!spec->left && spec->zero) repeat(sink, '0', padding);
  repeat(sink, '0', zeros);
  for (int i = 0; i < count; i++) __whittle_emit(sink, digits[i]);
  if (spec->left) repeat(sink, ' ', padding);
}

static const char* sign_text(const struct spec* spec, _Bool negative) {
  return negative ? "-" : spec->plus ? "+" : spec->space ? " " : "";
}

static void put_integer(struct sink* sink, struct spec* spec, uint64_t value, _Bool negative) {
  char digits[24];
  int base = spec->conversion == 'o'                                                         ? 8
             : spec->conversion == 'x' || spec->conversion == 'X' || spec->conversion == 'p' ? 16
                                                                                             : 10;
  const char* names = spec->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  const char* prefix = "";
  _Bool nonzero = value != 0;
  int first = sizeof digits;
  if (value >> 32 == 0) {  // 32-bit arithmetic is easier on solvers
    for (uint32_t rest = (uint32_t)value; rest; rest /= (uint32_t)base) digits[--first] = names[rest % (uint32_t)base];
  } else {
    for (; value; value /= (uint64_t)base) digits[--first] = names[value % (uint64_t)base];
  }
  int count = (int)sizeof digits - first;
  int zeros = (spec->precision < 0 ? 1 : spec->precision) - count;
  if (zeros < 0) zeros = 0;
  if (spec->conversion == 'd')
    prefix = sign_text(spec, negative);
  else if (base == 16 && spec->alternate && nonzero)
    prefix = spec->conversion == 'X' ? "0X" : "0x";
  else if (base == 8 && spec->alternate && zeros == 0)
    zeros = 1;
  if (spec->precision >= 0) spec->zero = 0;
  put_number(sink, spec, prefix, digits + first, count, zeros);
}

static void put_text(struct sink* sink, const struct spec* spec, const char* text, int count) {
  if (!spec->left) repeat(sink, ' ', spec->width - count);
  for (int i = 0; i < count; i++) __whittle_emit(sink, text[i]);
  if (spec->left) repeat(sink, ' ', spec->width - count);
}

static char digit_at(const struct decimal* d, int i) {
  return (char)('0' + (i >= 0 && i < d->count ? d->digit[i] : 0));
}

// Pads, writes sign, and calls nothing back: the length of the body must be known first.
static void begin_float(struct sink* sink, const struct spec* spec, const char* sign, int body) {
  int padding = spec->width - (int)strlen(sign) - body;
  if (!spec->left && !spec->zero) repeat(sink, ' ', padding);
  for (const char* p = sign; *p; p++) __whittle_emit(sink, *p);
  if (!spec->left && spec->zero) repeat(sink, '0', padding);
}
static void end_float(struct sink* sink, const struct spec* spec, const char* sign, int body) {
  if (spec->left) repeat(sink, ' ', spec->width - (int)strlen(sign) - body);
}

static void put_fixed(struct sink* sink, const struct spec* spec, const char* sign, const struct decimal* d,
                      int fraction) {
  int whole = d->count && d->exponent > 0 ? d->exponent : 1;
  _Bool point = fraction > 0 || spec->alternate;
  int body = whole + point + fraction;
  begin_float(sink, spec, sign, body);
  if (d->count && d->exponent > 0) {
    for (int i = 0; i < whole; i++) __whittle_emit(sink, digit_at(d, i));
  } else {
    __whittle_emit(sink, '0');
  }
  if (point) __whittle_emit(sink, '.');
  for (int i = 0; i < fraction; i++) __whittle_emit(sink, d->count ? digit_at(d, d->exponent + i) : '0');
  end_float(sink, spec, sign, body);
}

static void put_scientific(struct sink* sink, const struct spec* spec, const char* sign, const struct decimal* d,
                           int fraction, char letter) {
  int exponent = d->count ? d->exponent - 1 : 0;
  unsigned magnitude = exponent < 0 ? (unsigned)-exponent : (unsigned)exponent;
  _Bool point = fraction > 0 || spec->alternate;
  int body = 1 + point + fraction + 2 + (magnitude >= 100 ? 3 : 2);
  begin_float(sink, spec, sign, body);
  __whittle_emit(sink, digit_at(d, 0));
  if (point) __whittle_emit(sink, '.');
  for (int i = 1; i <= fraction; i++) __whittle_emit(sink, digit_at(d, i));
  __whittle_emit(sink, letter);
  __whittle_emit(sink, exponent < 0 ? '-' : '+');
  if (magnitude >= 100) __whittle_emit(sink, (char)('0' + magnitude / 100));
  __whittle_emit(sink, (char)('0' + magnitude / 10 % 10));
  __whittle_emit(sink, (char)('0' + magnitude % 10));
  end_float(sink, spec, sign, body);
}

static void put_general(struct sink* sink, const struct spec* spec, const char* sign, struct decimal* d, char letter) {
  int precision = spec->precision < 0 ? 6 : spec->precision == 0 ? 1 : spec->precision;
  __whittle_round_decimal(d, precision);
  int exponent = d->count ? d->exponent - 1 : 0;
  _Bool fixed = exponent >= -4 && exponent < precision;
  int fraction = fixed ? precision - 1 - exponent : precision - 1;
  if (!spec->alternate) {  // trailing zeros go
    int needed = fixed ? d->count - d->exponent : d->count - 1;
    if (d->count == 0 || needed < 0) needed = 0;
    if (fraction > needed) fraction = needed;
  }
  if (fixed)
    put_fixed(sink, spec, sign, d, fraction);
  else
    put_scientific(sink, spec, sign, d, fraction, letter);
}

static void put_hexadecimal(struct sink* sink, const struct spec* spec, _Bool negative, uint64_t bits) {
  const char* names = spec->conversion == 'A' ? "0123456789ABCDEF" : "0123456789abcdef";
  uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
  int exponent = (int)(bits >> 52 & 0x7ff);
  uint64_t lead = exponent ? 1 : 0;
  if (exponent)
    exponent -= 1023;
  else if (mantissa)
    exponent = -1022;
  int fraction = 13;
  if (spec->precision >= 0 && spec->precision < 13) {
    int drop = 4 * (13 - spec->precision);
    uint64_t all = lead << 52 | mantissa, half = UINT64_C(1) << (drop - 1), below = all & ((half << 1) - 1);
    all >>= drop;
    if (below > half || (below == half && (all & 1))) all++;
    all <<= drop;
    lead = all >> 52;
    mantissa = all & ((UINT64_C(1) << 52) - 1);
    fraction = spec->precision;
  } else if (spec->precision < 0) {
    while (fraction > 0 && !(mantissa >> (52 - 4 * fraction) & 15)) fraction--;
  }
  int zeros = spec->precision > 13 ? spec->precision - 13 : 0;
  unsigned magnitude = exponent < 0 ? (unsigned)-exponent : (unsigned)exponent;
  int exponent_digits = magnitude >= 1000 ? 4 : magnitude >= 100 ? 3 : magnitude >= 10 ? 2 : 1;
  _Bool point = fraction + zeros > 0 || spec->alternate;
  int body = 1 + point + fraction + zeros + 2 + exponent_digits;
  char prefix[4];
  strcpy(prefix, sign_text(spec, negative));
  strcat(prefix, spec->conversion == 'A' ? "0X" : "0x");
  begin_float(sink, spec, prefix, body);
  __whittle_emit(sink, names[lead]);
  if (point) __whittle_emit(sink, '.');
  for (int i = 1; i <= fraction; i++) __whittle_emit(sink, names[mantissa >> (52 - 4 * i) & 15]);
  repeat(sink, '0', zeros);
  __whittle_emit(sink, spec->conversion == 'A' ? 'P' : 'p');
  __whittle_emit(sink, exponent < 0 ? '-' : '+');
  for (unsigned unit = exponent_digits == 4   ? 1000
                       : exponent_digits == 3 ? 100
                       : exponent_digits == 2 ? 10
                                              : 1;
       unit; unit /= 10)
    __whittle_emit(sink, (char)('0' + magnitude / unit % 10));
  end_float(sink, spec, prefix, body);
}

static void put_float(struct sink* sink, struct spec* spec, double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  _Bool negative = bits >> 63;
  const char* sign = sign_text(spec, negative);
  _Bool upper = spec->conversion < 'a';
  if ((bits >> 52 & 0x7ff) == 0x7ff) {
    _Bool nan = bits << 12 != 0;
    spec->zero = 0;
    put_number(sink, spec, sign, nan ? (upper ? "NAN" : "nan") : (upper ? "INF" : "inf"), 3, 0);
    return;
  }
  char kind = upper ? (char)(spec->conversion + 32) : spec->conversion;
  if (kind == 'a') {
    put_hexadecimal(sink, spec, negative, bits);
    return;
  }
  struct decimal d;
  __whittle_to_decimal(x, &d);
  int precision = spec->precision < 0 ? 6 : spec->precision;
  if (kind == 'g') {
    put_general(sink, spec, sign, &d, upper ? 'E' : 'e');
  } else if (kind == 'e') {
    __whittle_round_decimal(&d, precision + 1);
    put_scientific(sink, spec, sign, &d, precision, upper ? 'E' : 'e');
  } else {
    __whittle_round_decimal(&d, d.exponent + precision);
    put_fixed(sink, spec, sign, &d, precision);
  }
}

static const char* parse_number(const char* p, int* value) {
  *value = 0;
  for (; *p >= '0' && *p <= '9'; p++) *value = *value * 10 + (*p - '0');
  return p;
}

static const char* parse_flags(const char* p, struct spec* spec) {
  for (;; p++) {
    if (*p == '-')
      spec->left = 1;
    else if (*p == '+')
      spec->plus = 1;
    else if (*p == ' ')
      spec->space = 1;
    else if (*p == '#')
      spec->alternate = 1;
    else if (*p == '0')
      spec->zero = 1;
    else if (*p != '\'')
      return p;
  }
}

static const char* parse_length(const char* p, struct spec* spec) {
  spec->length = 0;
  if (*p == 'h' || *p == 'l') {
    spec->length = *p++;
    if (*p == (char)spec->length) {
      spec->length = *p == 'h' ? 'H' : 'q';
      p++;
    }
  } else if (*p == 'q' || *p == 'j' || *p == 'z' || *p == 't' || *p == 'L' || *p == 'Z') {
    spec->length = *p++;
  }
  return p;
}

struct arguments {
  va_list list;
};

static int64_t next_signed(struct arguments* a, int length) {
  switch (length) {
    case 'H': return (signed char)va_arg(a->list, int);
    case 'h': return (short)va_arg(a->list, int);
    case 'l': return va_arg(a->list, long);
    case 'q':
    case 'L':
    case 'j': return va_arg(a->list, long long);
    case 'Z':
    case 'z':
    case 't': return va_arg(a->list, ptrdiff_t);
    default: return va_arg(a->list, int);
  }
}
static uint64_t next_unsigned(struct arguments* a, int length) {
  switch (length) {
    case 'H': return (unsigned char)va_arg(a->list, unsigned);
    case 'h': return (unsigned short)va_arg(a->list, unsigned);
    case 'l': return va_arg(a->list, unsigned long);
    case 'q':
    case 'L':
    case 'j': return va_arg(a->list, unsigned long long);
    case 'Z':
    case 'z':
    case 't': return va_arg(a->list, size_t);
    default: return va_arg(a->list, unsigned);
  }
}
static void store_count(struct arguments* a, int length, size_t total) {
  switch (length) {
    case 'H': *va_arg(a->list, signed char*) = (signed char)total; break;
    case 'h': *va_arg(a->list, short*) = (short)total; break;
    case 'l': *va_arg(a->list, long*) = (long)total; break;
    case 'q':
    case 'L':
    case 'j': *va_arg(a->list, long long*) = (long long)total; break;
    case 'Z':
    case 'z':
    case 't': *va_arg(a->list, ptrdiff_t*) = (ptrdiff_t)total; break;
    default: *va_arg(a->list, int*) = (int)total; break;
  }
}

// One character is one byte in the "C" locale.
static char byte_of(wchar_t c) {
  if (c < 0 || c > 127) __whittle_unsupported("printf of wide characters above 127");
  return (char)c;
}
static void put_wide(struct sink* sink, const struct spec* spec, const wchar_t* text) {
  const size_t most = spec->precision < 0 ? SIZE_MAX : (size_t)spec->precision;
  size_t n = 0;
  while (n < most && text[n]) n++;
  char bytes[n + 1];
  for (size_t i = 0; i < n; i++) bytes[i] = byte_of(text[i]);
  put_text(sink, spec, bytes, (int)n);
}
static void put_string(struct sink* sink, struct spec* spec, const char* text) {
  if (spec->length == 'l' && text) return put_wide(sink, spec, (const wchar_t*)text);
  if (!text) text = spec->precision < 0 || spec->precision >= 6 ? "(null)" : "";
  put_text(sink, spec, text, (int)(spec->precision < 0 ? strlen(text) : strnlen(text, (size_t)spec->precision)));
}

static void convert(struct sink* sink, struct spec* spec, struct arguments* a) {
  switch (spec->conversion) {
    case 'i':
    case 'd': {
      int64_t value = next_signed(a, spec->length);
      spec->conversion = 'd';
      put_integer(sink, spec, value < 0 ? -(uint64_t)value : (uint64_t)value, value < 0);
      break;
    }
    case 'u':
    case 'o':
    case 'x':
    case 'X': put_integer(sink, spec, next_unsigned(a, spec->length), 0); break;
    case 'c': {
      char c = spec->length == 'l' ? byte_of((wchar_t)va_arg(a->list, wint_t)) : (char)va_arg(a->list, int);
      put_text(sink, spec, &c, 1);
      break;
    }
    case 's': put_string(sink, spec, va_arg(a->list, const char*)); break;
    case 'p': {
      void* pointer = va_arg(a->list, void*);
      spec->alternate = 1;
      if (pointer)
        put_integer(sink, spec, (uintptr_t)pointer, 0);
      else
        put_text(sink, spec, "(nil)", 5);
      break;
    }
    case 'n': store_count(a, spec->length, sink->total); break;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      put_float(sink, spec, spec->length == 'L' ? (double)va_arg(a->list, long double) : va_arg(a->list, double));
      break;
    case 'm': put_string(sink, spec, strerror(errno)); break;
    case '%': __whittle_emit(sink, '%'); break;
    default: __whittle_unsupported("an unknown conversion in a printf format");
  }
}

void __whittle_format(struct sink* sink, const char* format, va_list arguments) {
  struct arguments a;
  va_copy(a.list, arguments);
  for (const char* p = format; *p;) {
    if (*p != '%') {
      __whittle_emit(sink, *p++);
      continue;
    }
    struct spec spec = {.precision = -1};
    p = parse_flags(p + 1, &spec);
    if (*p == '*') {
      spec.width = va_arg(a.list, int);
      if (spec.width < 0) {
        spec.left = 1;
        spec.width = -spec.width;
      }
      p++;
    } else {
      p = parse_number(p, &spec.width);
    }
    if (*p == '.') {
      p++;
      if (*p == '*') {
        spec.precision = va_arg(a.list, int);
        if (spec.precision < 0) spec.precision = -1;
        p++;
      } else {
        p = parse_number(p, &spec.precision);
      }
    }
    p = parse_length(p, &spec);
    spec.conversion = *p;
    if (!*p) break;
    p++;
    convert(sink, &spec, &a);
  }
  va_end(a.list);
}
