// expect: true
// proved-by: auto
// property: unreach-call,valid-deref,valid-free
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
  wchar_t *end;
  const wchar_t *text = L"  -42abc";
  assert(wcstol(text, &end, 10) == -42 && end == text + 5);
  assert(wcstol(L"0x1F", 0, 0) == 31 && wcstoul(L"77", 0, 8) == 63 && wcstod(L"2.5e1x", &end) == 25.0 && *end == L'x');
  errno = 0;
  assert(wcstol(L"99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
  wchar_t out[16];
  assert(swprintf(out, 16, L"%d-%ls-%s-%lc", 7, L"ab", "cd", L'e') == 9 && wcscmp(out, L"7-ab-cd-e") == 0);
  assert(swprintf(out, 4, L"%d", 12345) == -1 && out[2] == L'3');
  char bytes[8];
  const wchar_t *from = L"hello";
  assert(wcsrtombs(bytes, &from, 3, 0) == 3 && from[0] == L'l' && bytes[2] == 'l');
  assert(wcsrtombs(bytes, &from, 8, 0) == 2 && !from && strcmp(bytes, "lo") == 0);
  const char *byte = "abc";
  assert(mbsrtowcs(out, &byte, 16, 0) == 3 && out[2] == L'c' && out[3] == 0);
  assert(iswctype(L'7', wctype("digit")) && !iswctype(L'x', wctype("digit")) && towctrans(L'a', wctrans("toupper")) == L'A');
  assert(wcwidth(L'a') == 1 && MB_CUR_MAX == 1);
  return 0;
}
