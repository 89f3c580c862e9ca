// expect: true
// property: valid-deref,unreach-call
// proved-by: explicit
#include <assert.h>
#include <wchar.h>
#include <wctype.h>
int main(void) {
  wchar_t to[8];
  wcscpy(to, L"four");
  wcscat(to, L"ty");
  assert(wcslen(to) == 6 && wcscmp(to, L"fourty") == 0 && wcschr(to, L'u') == to + 2 && towupper(to[0]) == L'F');
  return 0;
}
