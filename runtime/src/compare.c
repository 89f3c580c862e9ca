// memcmp, strcmp and their relatives. The standard promises the sign of the result and nothing else. The functions under
// their own names return any value of that sign; __whittle_sign_* are for callers that cannot tell (src/frontend/
// model_choice.h): one value, no choice.
#define _GNU_SOURCE
#include "compare.h"

#include <string.h>
#include <strings.h>
#include <wchar.h>

// The difference itself comes first, so that a run without inputs is the most ordinary one.
int __whittle_any_of_sign(int difference) {
  if (difference == 0) return 0;
  int any = (int)__whittle_nondet_u32();
  return any != 0 && (any < 0) == (difference < 0) ? any : difference;
}

int __whittle_sign_memcmp(const void* a, const void* b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}
int __whittle_sign_strcmp(const char* a, const char* b) {
  while (*a && *a == *b) a++, b++;
  return (unsigned char)*a - (unsigned char)*b;
}
int __whittle_sign_strncmp(const char* a, const char* b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i]) return (unsigned char)a[i] - (unsigned char)b[i];
    if (!a[i]) return 0;
  }
  return 0;
}
static int lower(char c) {
  unsigned char u = (unsigned char)c;
  return u >= 'A' && u <= 'Z' ? u + ('a' - 'A') : u;
}
int __whittle_sign_strcasecmp(const char* a, const char* b) {
  while (*a && lower(*a) == lower(*b)) a++, b++;
  return lower(*a) - lower(*b);
}
int __whittle_sign_strncasecmp(const char* a, const char* b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (lower(a[i]) != lower(b[i])) return lower(a[i]) - lower(b[i]);
    if (!a[i]) return 0;
  }
  return 0;
}
int __whittle_sign_bcmp(const void* a, const void* b, size_t n) { return __whittle_sign_memcmp(a, b, n); }
int __whittle_sign_strcoll(const char* a, const char* b) { return __whittle_sign_strcmp(a, b); }

// Numbers inside texts compare as numbers; those with zeros in front as digits after a point.
static _Bool is_digit(char c) { return c >= '0' && c <= '9'; }
int __whittle_sign_strverscmp(const char* a, const char* b) {
  size_t at = 0, number = 0;  // where they differ, and where the number begins that leads there
  while (a[at] == b[at] && a[at]) {
    at++;
    if (!is_digit(a[at - 1])) number = at;
  }
  int bytes = (unsigned char)a[at] - (unsigned char)b[at];
  if (bytes == 0) return 0;
  _Bool digit_a = is_digit(a[at]), digit_b = is_digit(b[at]);
  size_t zeros = number;
  while (zeros < at && a[zeros] == '0') zeros++;
  if (zeros > number || (number == at && (a[at] == '0' || b[at] == '0'))) {
    // After nothing but zeros, the one that goes on with digits has more of them after the point: it comes first.
    if (zeros == at && number < at && digit_a != digit_b) return digit_a ? -1 : 1;
    return bytes;
  }
  // Neither begins with zero: the longer number is the larger one.
  if (number == at && !(digit_a && digit_b)) return bytes;
  size_t length_a = at, length_b = at;
  while (is_digit(a[length_a])) length_a++;
  while (is_digit(b[length_b])) length_b++;
  return length_a == length_b ? bytes : length_a < length_b ? -1 : 1;
}

static int order(wchar_t a, wchar_t b) { return (a > b) - (a < b); }
static wchar_t wide_lower(wchar_t c) { return c >= L'A' && c <= L'Z' ? c + (L'a' - L'A') : c; }
int __whittle_sign_wmemcmp(const wchar_t* a, const wchar_t* b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i]) return order(a[i], b[i]);
  return 0;
}
int __whittle_sign_wcscmp(const wchar_t* a, const wchar_t* b) {
  while (*a && *a == *b) a++, b++;
  return order(*a, *b);
}
int __whittle_sign_wcsncmp(const wchar_t* a, const wchar_t* b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i]) return order(a[i], b[i]);
    if (!a[i]) return 0;
  }
  return 0;
}
int __whittle_sign_wcscasecmp(const wchar_t* a, const wchar_t* b) {
  while (*a && wide_lower(*a) == wide_lower(*b)) a++, b++;
  return order(wide_lower(*a), wide_lower(*b));
}
int __whittle_sign_wcsncasecmp(const wchar_t* a, const wchar_t* b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (wide_lower(a[i]) != wide_lower(b[i])) return order(wide_lower(a[i]), wide_lower(b[i]));
    if (!a[i]) return 0;
  }
  return 0;
}
int __whittle_sign_wcscoll(const wchar_t* a, const wchar_t* b) { return __whittle_sign_wcscmp(a, b); }

#define TEXTS(name, type) \
  int name(const type* a, const type* b) { return __whittle_any_of_sign(__whittle_sign_##name(a, b)); }
#define COUNTED(name, type) \
  int name(const type* a, const type* b, size_t n) { return __whittle_any_of_sign(__whittle_sign_##name(a, b, n)); }
COUNTED(memcmp, void)
COUNTED(bcmp, void)
TEXTS(strcmp, char)
COUNTED(strncmp, char)
TEXTS(strcasecmp, char)
COUNTED(strncasecmp, char)
TEXTS(strcoll, char)
TEXTS(strverscmp, char)
COUNTED(wmemcmp, wchar_t)
TEXTS(wcscmp, wchar_t)
COUNTED(wcsncmp, wchar_t)
TEXTS(wcscasecmp, wchar_t)
COUNTED(wcsncasecmp, wchar_t)
TEXTS(wcscoll, wchar_t)
