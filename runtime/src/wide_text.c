// wchar.h and wctype.h: texts of wide characters, and their classes in the "C" locale.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "primitives.h"

size_t wcslen(const wchar_t* s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}
size_t wcsnlen(const wchar_t* s, size_t limit) {
  size_t n = 0;
  while (n < limit && s[n]) n++;
  return n;
}
wchar_t* wcpcpy(wchar_t* to, const wchar_t* from) {
  while ((*to = *from)) to++, from++;
  return to;
}
wchar_t* wcscpy(wchar_t* to, const wchar_t* from) {
  wcpcpy(to, from);
  return to;
}
wchar_t* wcpncpy(wchar_t* to, const wchar_t* from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  wchar_t* end = to + i;
  for (; i < n; i++) to[i] = 0;
  return end;
}
wchar_t* wcsncpy(wchar_t* to, const wchar_t* from, size_t n) {
  wcpncpy(to, from, n);
  return to;
}
wchar_t* wcscat(wchar_t* to, const wchar_t* from) {
  wcpcpy(to + wcslen(to), from);
  return to;
}
wchar_t* wcsncat(wchar_t* to, const wchar_t* from, size_t n) {
  wchar_t* end = to + wcslen(to);
  size_t i = 0;
  for (; i < n && from[i]; i++) end[i] = from[i];
  end[i] = 0;
  return to;
}
wchar_t* wcschrnul(const wchar_t* s, wchar_t c) {
  while (*s && *s != c) s++;
  return (wchar_t*)s;
}
wchar_t* wcschr(const wchar_t* s, wchar_t c) {
  s = wcschrnul(s, c);
  return *s == c ? (wchar_t*)s : 0;
}
wchar_t* wcsrchr(const wchar_t* s, wchar_t c) {
  const wchar_t* found = 0;
  for (;; s++) {
    if (*s == c) found = s;
    if (!*s) return (wchar_t*)found;
  }
}
size_t wcsspn(const wchar_t* s, const wchar_t* set) {
  size_t n = 0;
  while (s[n] && wcschr(set, s[n])) n++;
  return n;
}
size_t wcscspn(const wchar_t* s, const wchar_t* set) {
  size_t n = 0;
  while (s[n] && !wcschr(set, s[n])) n++;
  return n;
}
wchar_t* wcspbrk(const wchar_t* s, const wchar_t* set) {
  s += wcscspn(s, set);
  return *s ? (wchar_t*)s : 0;
}
wchar_t* wcsstr(const wchar_t* s, const wchar_t* needle) {
  for (;; s++) {
    size_t i = 0;
    while (needle[i] && s[i] == needle[i]) i++;
    if (!needle[i]) return (wchar_t*)s;
    if (!*s) return 0;
  }
}
wchar_t* wcswcs(const wchar_t* s, const wchar_t* needle) { return wcsstr(s, needle); }
wchar_t* wcstok(wchar_t* s, const wchar_t* set, wchar_t** rest) {
  if (!s) s = *rest;
  if (!s) return 0;
  s += wcsspn(s, set);
  if (!*s) {
    *rest = 0;
    return 0;
  }
  wchar_t* end = s + wcscspn(s, set);
  *rest = *end ? end + 1 : 0;
  *end = 0;
  return s;
}
wchar_t* wcsdup(const wchar_t* s) {
  size_t size = (wcslen(s) + 1) * sizeof *s;
  wchar_t* copy = malloc(size);
  if (copy) __builtin_memcpy(copy, s, size);
  return copy;
}
size_t wcsxfrm(wchar_t* to, const wchar_t* from, size_t n) {
  size_t length = wcslen(from);
  if (n > 0) wcsncpy(to, from, n);
  return length;
}
wchar_t* wmemcpy(wchar_t* to, const wchar_t* from, size_t n) { return memcpy(to, from, n * sizeof *to); }
wchar_t* wmempcpy(wchar_t* to, const wchar_t* from, size_t n) { return wmemcpy(to, from, n) + n; }
wchar_t* wmemmove(wchar_t* to, const wchar_t* from, size_t n) { return memmove(to, from, n * sizeof *to); }
wchar_t* wmemset(wchar_t* to, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++) to[i] = c;
  return to;
}
wchar_t* wmemchr(const wchar_t* s, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (s[i] == c) return (wchar_t*)s + i;
  return 0;
}

int iswdigit(wint_t c) { return c >= L'0' && c <= L'9'; }
int iswlower(wint_t c) { return c >= L'a' && c <= L'z'; }
int iswupper(wint_t c) { return c >= L'A' && c <= L'Z'; }
int iswalpha(wint_t c) { return iswlower(c) || iswupper(c); }
int iswalnum(wint_t c) { return iswalpha(c) || iswdigit(c); }
int iswblank(wint_t c) { return c == L' ' || c == L'\t'; }
int iswspace(wint_t c) { return c == L' ' || (c >= L'\t' && c <= L'\r'); }
int iswprint(wint_t c) { return c >= L' ' && c <= L'~'; }
int iswgraph(wint_t c) { return c > L' ' && c <= L'~'; }
int iswcntrl(wint_t c) { return c < L' ' || c == 127; }
int iswpunct(wint_t c) { return iswgraph(c) && !iswalnum(c); }
int iswxdigit(wint_t c) { return iswdigit(c) || (c >= L'a' && c <= L'f') || (c >= L'A' && c <= L'F'); }
wint_t towlower(wint_t c) { return iswupper(c) ? c + (L'a' - L'A') : c; }
wint_t towupper(wint_t c) { return iswlower(c) ? c - (L'a' - L'A') : c; }

// One byte is one character. What a byte above 127 is depends on the libc, so it is refused by name.
static wchar_t wide(unsigned char c) {
  if (c > 127) __whittle_unsupported("multibyte character above 127");
  return c;
}
size_t __ctype_get_mb_cur_max(void) { return 1; }
wint_t btowc(int c) { return c >= 0 && c < 128 ? (wint_t)c : WEOF; }
int wctob(wint_t c) { return c < 128 ? (int)c : EOF; }
int mbsinit(const mbstate_t* state) {
  (void)state;
  return 1;
}
size_t mbrtowc(wchar_t* to, const char* from, size_t n, mbstate_t* state) {
  (void)state;
  if (!from) return 0;
  if (n == 0) return (size_t)-2;
  wchar_t c = wide((unsigned char)*from);
  if (to) *to = c;
  return c != 0;
}
size_t mbrlen(const char* from, size_t n, mbstate_t* state) { return mbrtowc(0, from, n, state); }
int mbtowc(wchar_t* to, const char* from, size_t n) {
  if (!from) return 0;
  return n == 0 ? -1 : (int)mbrtowc(to, from, n, 0);
}
int mblen(const char* from, size_t n) { return mbtowc(0, from, n); }
size_t wcrtomb(char* to, wchar_t c, mbstate_t* state) {
  (void)state;
  if (!to) return 1;
  if (c < 0 || c > 255) {
    errno = EILSEQ;
    return (size_t)-1;
  }
  *to = (char)wide((unsigned char)c);
  return 1;
}
int wctomb(char* to, wchar_t c) { return to ? (int)wcrtomb(to, c, 0) : 0; }
size_t mbstowcs(wchar_t* to, const char* from, size_t n) {
  size_t i = 0;
  for (; !to || i < n; i++) {
    wchar_t c = wide((unsigned char)from[i]);
    if (to) to[i] = c;
    if (!c) break;
  }
  return i;
}
size_t wcstombs(char* to, const wchar_t* from, size_t n) {
  size_t i = 0;
  for (; !to || i < n; i++) {
    char c;
    if (wcrtomb(&c, from[i], 0) == (size_t)-1) return (size_t)-1;
    if (to) to[i] = c;
    if (!c) break;
  }
  return i;
}
size_t wcsnrtombs(char* to, const wchar_t** from, size_t most, size_t n, mbstate_t* state) {
  (void)state;
  size_t i = 0;
  for (; i < most && (!to || i < n); i++) {
    char c;
    if (wcrtomb(&c, (*from)[i], 0) == (size_t)-1) {
      if (to) *from += i;
      return (size_t)-1;
    }
    if (to) to[i] = c;
    if (!c) {
      if (to) *from = 0;
      return i;
    }
  }
  if (to) *from += i;
  return i;
}
size_t wcsrtombs(char* to, const wchar_t** from, size_t n, mbstate_t* state) { return wcsnrtombs(to, from, SIZE_MAX, n, state); }
size_t mbsnrtowcs(wchar_t* to, const char** from, size_t most, size_t n, mbstate_t* state) {
  (void)state;
  size_t i = 0;
  for (; i < most && (!to || i < n); i++) {
    wchar_t c = wide((unsigned char)(*from)[i]);
    if (to) to[i] = c;
    if (!c) {
      if (to) *from = 0;
      return i;
    }
  }
  if (to) *from += i;
  return i;
}
size_t mbsrtowcs(wchar_t* to, const char** from, size_t n, mbstate_t* state) { return mbsnrtowcs(to, from, SIZE_MAX, n, state); }
int wcwidth(wchar_t c) { return c == 0 ? 0 : iswprint((wint_t)c) ? 1 : -1; }
int wcswidth(const wchar_t* s, size_t n) {
  int width = 0;
  for (size_t i = 0; i < n && s[i]; i++) {
    if (!iswprint((wint_t)s[i])) return -1;
    width++;
  }
  return width;
}

// Classes and conversions by name: a number each, from 1.
static const char* const classes[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"};
wctype_t wctype(const char* name) {
  for (wctype_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (strcmp(name, classes[i]) == 0) return i + 1;
  return 0;
}
int iswctype(wint_t c, wctype_t class) {
  switch (class) {
    case 1: return iswalnum(c);
    case 2: return iswalpha(c);
    case 3: return iswblank(c);
    case 4: return iswcntrl(c);
    case 5: return iswdigit(c);
    case 6: return iswgraph(c);
    case 7: return iswlower(c);
    case 8: return iswprint(c);
    case 9: return iswpunct(c);
    case 10: return iswspace(c);
    case 11: return iswupper(c);
    case 12: return iswxdigit(c);
    default: return 0;
  }
}
// The names are indices of tables that are never read here.
wctrans_t wctrans(const char* name) { return (wctrans_t)(uintptr_t)(strcmp(name, "tolower") == 0 ? 1 : strcmp(name, "toupper") == 0 ? 2 : 0); }
wint_t towctrans(wint_t c, wctrans_t which) { return (uintptr_t)which == 1 ? towlower(c) : (uintptr_t)which == 2 ? towupper(c) : c; }
