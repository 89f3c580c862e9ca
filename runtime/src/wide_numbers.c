// Wide texts as numbers, printed and read: by way of bytes, since one byte is one character in the "C" locale.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "primitives.h"

// The beginning of `text` that a number may be in, and what it is in bytes: spaces, a sign, then digits, letters and,
// for floating-point numbers, points, signs and brackets. The first other character ends it.
static size_t span_of_number(const wchar_t* text, int base, _Bool floating) {
  size_t n = 0;
  while (iswspace((wint_t)text[n])) n++;
  if (text[n] == L'-' || text[n] == L'+') n++;
  const wint_t last = (wint_t)(base == 0 || base == 16 || base > 36 ? L'z' : base > 10 ? L'a' + base - 11 : 0);
  for (;; n++) {
    wint_t c = (wint_t)text[n], small = towlower(c);
    if (iswdigit(c) || (floating && (iswalpha(c) || (c < 128 && c && strchr(".+-()_", (int)c))))) continue;
    if (!(iswalpha(c) && small <= last)) return n;
  }
}
static void to_bytes(char* bytes, const wchar_t* text, size_t n) {
  for (size_t i = 0; i < n; i++) bytes[i] = (char)text[i];
  bytes[n] = 0;
}
#define NUMBER(NAME, TYPE, BASE, FLOATING, CALL, ...)                      \
  TYPE NAME(const wchar_t* text, wchar_t** end, ##__VA_ARGS__) {           \
    size_t n = span_of_number(text, BASE, FLOATING);                       \
    char bytes[n + 1], *last;                                              \
    to_bytes(bytes, text, n);                                              \
    TYPE value = CALL;                                                     \
    if (end) *end = (wchar_t*)text + (last - bytes);                       \
    return value;                                                          \
  }
NUMBER(wcstol, long, base, 0, strtol(bytes, &last, base), int base)
NUMBER(wcstoul, unsigned long, base, 0, strtoul(bytes, &last, base), int base)
NUMBER(wcstoll, long long, base, 0, strtoll(bytes, &last, base), int base)
NUMBER(wcstoull, unsigned long long, base, 0, strtoull(bytes, &last, base), int base)
NUMBER(wcstoimax, intmax_t, base, 0, strtoimax(bytes, &last, base), int base)
NUMBER(wcstoumax, uintmax_t, base, 0, strtoumax(bytes, &last, base), int base)
NUMBER(wcstod, double, 0, 1, strtod(bytes, &last))
NUMBER(wcstof, float, 0, 1, strtof(bytes, &last))
NUMBER(wcstold, long double, 0, 1, strtold(bytes, &last))

// Formats. What no byte can hold is refused by name.
static char narrow(wchar_t c) {
  if (c < 0 || c > 127) __whittle_unsupported("wide formats and output with characters above 127");
  return (char)c;
}
static void narrow_text(char* to, const wchar_t* from) {
  while ((*to++ = narrow(*from++))) {
  }
}
int vswprintf(wchar_t* to, size_t size, const wchar_t* format, va_list arguments) {
  char bytes[wcslen(format) + 1];
  narrow_text(bytes, format);
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(0, 0, bytes, arguments);
  char text[length + 1];
  vsnprintf(text, (size_t)length + 1, bytes, again);
  va_end(again);
  size_t n = 0;
  for (; n < size && n <= (size_t)length; n++) {
    if (text[n] & 0x80) __whittle_unsupported("wide formats and output with characters above 127");
    to[n] = text[n];
  }
  if (n > (size_t)length) return length;
  if (size > 0 && __whittle_nondet_bool()) to[size - 1] = 0;  // glibc before 2.37 does not
  return -1;
}
int vfwprintf(FILE* file, const wchar_t* format, va_list arguments) {
  char bytes[wcslen(format) + 1];
  narrow_text(bytes, format);
  int length = vfprintf(file, bytes, arguments);
  return __whittle_nondet_bool() ? -1 : length;
}
int vwprintf(const wchar_t* format, va_list arguments) { return vfwprintf(stdout, format, arguments); }
#define FORWARD(call)          \
  va_list arguments;           \
  va_start(arguments, format); \
  int length = call;           \
  va_end(arguments);           \
  return length
int swprintf(wchar_t* to, size_t size, const wchar_t* format, ...) { FORWARD(vswprintf(to, size, format, arguments)); }
int fwprintf(FILE* file, const wchar_t* format, ...) { FORWARD(vfwprintf(file, format, arguments)); }
int wprintf(const wchar_t* format, ...) { FORWARD(vfwprintf(stdout, format, arguments)); }

#undef getwc
#undef putwc
#undef getwchar
#undef putwchar
wint_t fputwc(wchar_t c, FILE* file) {
  fputc(narrow(c), file);
  return __whittle_nondet_bool() ? WEOF : (wint_t)c;
}
wint_t putwc(wchar_t c, FILE* file) { return fputwc(c, file); }
wint_t putwchar(wchar_t c) { return fputwc(c, stdout); }
int fputws(const wchar_t* text, FILE* file) {
  for (; *text; text++) fputc(narrow(*text), file);
  return __whittle_nondet_bool() ? -1 : 1;
}
// A byte above 127 is no character.
wint_t fgetwc(FILE* file) {
  int c = fgetc(file);
  if (c == EOF) return WEOF;
  if (c < 128) return (wint_t)c;
  errno = EILSEQ;
  return WEOF;
}
wint_t getwc(FILE* file) { return fgetwc(file); }
wint_t getwchar(void) { return fgetwc(stdin); }
wint_t ungetwc(wint_t c, FILE* file) { return c == WEOF ? WEOF : (wint_t)ungetc(narrow((wchar_t)c), file); }
wchar_t* fgetws(wchar_t* to, int size, FILE* file) {
  int n = 0;
  while (n + 1 < size) {
    wint_t c = fgetwc(file);
    if (c == WEOF && (n == 0 || !feof(file))) return 0;
    if (c == WEOF) break;
    to[n++] = (wchar_t)c;
    if (c == L'\n') break;
  }
  to[n] = 0;
  return to;
}
