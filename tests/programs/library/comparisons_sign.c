// expect: true
// proved-by: explicit dash
#include <assert.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
int main(void) {
  int r = strcmp("abc", "abd");
  assert(r < 0 && !(r > 0) && r <= 0 && r != 0);
  assert(strcmp("x", "x") == 0 && !strcmp("", ""));
  assert(strncmp("abc", "abd", 2) == 0 && strncmp("b", "a", 1) > 0);
  assert(memcmp("a\0b", "a\0c", 3) < 0 && strcoll("b", "a") > 0);
  assert(strcasecmp("ABC", "abc") == 0 && strncasecmp("ABx", "aby", 3) < 0);
  assert(wcscmp(L"b", L"a") > 0 && wcsncmp(L"ab", L"ac", 1) == 0 && wmemcmp(L"a", L"b", 1) < 0);
  return 0;
}
