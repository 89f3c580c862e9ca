// scanf. From a string it reads what is there; from a file it reads what is not known: any values, as many as it likes.
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "stream.h"

struct arguments {
  va_list list;
};
struct spec {
  _Bool drop;
  int width;   // 0: none
  int length;  // as in format.c
  char conversion;
  const char *set, *set_end;
  _Bool inverted;
};

static const char* parse(const char* p, struct spec* s) {
  *s = (struct spec){0};
  if (*p == '*') s->drop = 1, p++;
  for (; *p >= '0' && *p <= '9'; p++) s->width = s->width * 10 + (*p - '0');
  if (*p == 'h' || *p == 'l') {
    s->length = *p++;
    if (*p == (char)s->length) s->length = *p++ == 'h' ? 'H' : 'q';
  } else if (*p == 'j' || *p == 'z' || *p == 't' || *p == 'L') {
    s->length = *p++;
  }
  s->conversion = *p;
  if (!*p) return p;
  p++;
  if (s->conversion == '[') {
    if (*p == '^') s->inverted = 1, p++;
    s->set = p;
    if (*p == ']') p++;
    while (*p && *p != ']') p++;
    s->set_end = p;
    if (*p) p++;
  }
  return p;
}

static _Bool in_set(const struct spec* s, char c) {
  _Bool found = 0;
  for (const char* p = s->set; p < s->set_end; p++) {
    if (p + 2 < s->set_end && p[1] == '-') {
      if (c >= p[0] && c <= p[2]) found = 1;
      p += 2;
    } else if (*p == c) {
      found = 1;
    }
  }
  return found != s->inverted;
}

static void store_integer(struct arguments* a, int length, uint64_t value) {
  switch (length) {
    case 'H': *va_arg(a->list, char*) = (char)value; break;
    case 'h': *va_arg(a->list, short*) = (short)value; break;
    case 'l': *va_arg(a->list, long*) = (long)value; break;
    case 'q':
    case 'L':
    case 'j': *va_arg(a->list, long long*) = (long long)value; break;
    case 'z':
    case 't': *va_arg(a->list, size_t*) = (size_t)value; break;
    default: *va_arg(a->list, int*) = (int)value; break;
  }
}
static void store_float(struct arguments* a, int length, double value) {
  if (length == 'L') __whittle_unsupported("scanning a long double");
  if (length == 'l')
    *va_arg(a->list, double*) = value;
  else
    *va_arg(a->list, float*) = (float)value;
}
static int base_of(char conversion) {
  switch (conversion) {
    case 'i': return 0;
    case 'o': return 8;
    case 'x':
    case 'X':
    case 'p': return 16;
    default: return 10;
  }
}
static _Bool is_float(char c) {
  return c == 'f' || c == 'F' || c == 'e' || c == 'E' || c == 'g' || c == 'G' || c == 'a';
}

// A number of at most `width` characters, copied out so that strtol stops there. 0: no number here.
static int scan_number(const char** text, const struct spec* s, struct arguments* a) {
  char copy[64];
  int limit = s->width && s->width < (int)sizeof copy - 1 ? s->width : (int)sizeof copy - 1, n = 0;
  for (; n < limit && (*text)[n] && !isspace((unsigned char)(*text)[n]); n++) copy[n] = (*text)[n];
  copy[n] = 0;
  char* end;
  int before = errno;  // a number that is too large is no error of scanf
  if (is_float(s->conversion)) {
    double value = strtod(copy, &end);
    errno = before;
    if (end == copy) return 0;
    // As glibc does it, an exponent without digits is read and means nothing.
    if (strcspn(copy, "eExX") == (size_t)(end - copy) && *end) end += end[1] == '+' || end[1] == '-' ? 2 : 1;
    if (!s->drop) store_float(a, s->length, value);
  } else {
    uint64_t value = s->conversion == 'd' || s->conversion == 'i'
                         ? (uint64_t)strtoll(copy, &end, base_of(s->conversion))
                         : strtoull(copy, &end, base_of(s->conversion));
    errno = before;
    if (end == copy) return 0;
    if (!s->drop) {
      if (s->conversion == 'p')
        *va_arg(a->list, void**) = (void*)(uintptr_t)value;
      else
        store_integer(a, s->length, value);
    }
  }
  *text += end - copy;
  return 1;
}

static int scan_text(const char** text, const struct spec* s, struct arguments* a) {
  char* to = s->drop ? 0 : va_arg(a->list, char*);
  int limit = s->width ? s->width : s->conversion == 'c' ? 1 : INT32_MAX, n = 0;
  for (; n < limit && **text; n++, ++*text) {
    if (s->conversion == 's' && isspace((unsigned char)**text)) break;
    if (s->conversion == '[' && !in_set(s, **text)) break;
    if (to) to[n] = **text;
  }
  if (n == 0) return 0;
  if (to && s->conversion != 'c') to[n] = 0;
  return 1;
}

static int scan_string(const char* text, const char* format, va_list arguments) {
  struct arguments a;
  const char* start = text;
  int count = 0;
  va_copy(a.list, arguments);
  while (*format) {
    if (isspace((unsigned char)*format)) {
      while (isspace((unsigned char)*text)) text++;
      format++;
      continue;
    }
    if (*format != '%' || format[1] == '%') {
      if (*format == '%') {
        format++;
        while (isspace((unsigned char)*text)) text++;
      }
      if (*text != *format) return *text || count ? count : EOF;
      text++, format++;
      continue;
    }
    struct spec s;
    format = parse(format + 1, &s);
    if (s.conversion == 'n') {
      store_integer(&a, s.length, (uint64_t)(text - start));
      continue;
    }
    _Bool letters = s.conversion == 's' || s.conversion == 'c' || s.conversion == '[';
    if (s.conversion != 'c' && s.conversion != '[')
      while (isspace((unsigned char)*text)) text++;
    if (!*text) return count ? count : EOF;
    if (!(letters ? scan_text(&text, &s, &a) : scan_number(&text, &s, &a))) return count;
    if (!s.drop) count++;
  }
  va_end(a.list);
  return count;
}

static void any_value(const struct spec* s, struct arguments* a) {
  if (is_float(s->conversion)) {
    uint64_t bits = __whittle_nondet_u64();
    double value;
    __builtin_memcpy(&value, &bits, sizeof value);
    store_float(a, s->length, value);
  } else if (s->conversion == 's' || s->conversion == '[' || s->conversion == 'c') {
    char* to = va_arg(a->list, char*);
    int limit = s->width ? s->width : s->conversion == 'c' ? 1 : INT32_MAX;
    int n = 0;
    do {
      char c = (char)__whittle_nondet_u8();
      if (s->conversion == 's') __whittle_assume(c && !isspace((unsigned char)c));
      if (s->conversion == '[') __whittle_assume(c && in_set(s, c));
      to[n++] = c;
    } while (n < limit && (s->conversion == 'c' || __whittle_nondet_bool()));
    if (s->conversion != 'c') to[n] = 0;
  } else if (s->conversion == 'p') {
    *va_arg(a->list, void**) = (void*)(uintptr_t)__whittle_nondet_u64();
  } else if (s->length == 0 || s->length == 'h' || s->length == 'H') {
    store_integer(a, s->length, __whittle_nondet_u32());
  } else {
    store_integer(a, s->length, __whittle_nondet_u64());
  }
}

static int scan_unknown(FILE* file, const char* format, va_list arguments) {
  struct arguments a;
  int count = 0;
  va_copy(a.list, arguments);
  while (*format) {
    if (*format != '%' || format[1] == '%') {
      format += *format == '%' ? 2 : 1;
      continue;
    }
    struct spec s;
    format = parse(format + 1, &s);
    if (__whittle_nondet_bool()) {
      _Bool nothing = count == 0 && __whittle_nondet_bool();
      __whittle_scanned(file, nothing);
      return nothing ? EOF : count;
    }
    if (s.drop) continue;
    if (s.conversion == 'n') {
      store_integer(&a, s.length, __whittle_nondet_u8());
      continue;
    }
    any_value(&s, &a);
    count++;
  }
  va_end(a.list);
  __whittle_scanned(file, 0);
  return count;
}

// Each under its plain name and under those that glibc's headers give it.
#define NAMES(result, name, parameters)                    \
  result plain_##name parameters __asm__(#name);           \
  result iso_##name parameters __asm__("__isoc99_" #name); \
  result iso23_##name parameters __asm__("__isoc23_" #name);
NAMES(int, vsscanf, (const char*, const char*, va_list))
NAMES(int, vfscanf, (FILE*, const char*, va_list))
NAMES(int, vscanf, (const char*, va_list))
NAMES(int, sscanf, (const char*, const char*, ...))
NAMES(int, fscanf, (FILE*, const char*, ...))
NAMES(int, scanf, (const char*, ...))

#define FORWARD(call)     \
  va_list list;           \
  va_start(list, format); \
  int count = call;       \
  va_end(list);           \
  return count
#define DEFINE(prefix)                                                                                                 \
  int prefix##_vsscanf(const char* text, const char* format, va_list list) { return scan_string(text, format, list); } \
  int prefix##_vfscanf(FILE* file, const char* format, va_list list) {                                                 \
    return scan_unknown(file, format, list);                                                                           \
  }                                                                                                                    \
  int prefix##_vscanf(const char* format, va_list list) { return scan_unknown(0, format, list); }                  \
  int prefix##_sscanf(const char* text, const char* format, ...) { FORWARD(scan_string(text, format, list)); }         \
  int prefix##_fscanf(FILE* file, const char* format, ...) {                                                           \
    FORWARD(scan_unknown(file, format, list));                                                                         \
  }                                                                                                                    \
  int prefix##_scanf(const char* format, ...) { FORWARD(scan_unknown(0, format, list)); }
DEFINE(plain)
DEFINE(iso)
DEFINE(iso23)
