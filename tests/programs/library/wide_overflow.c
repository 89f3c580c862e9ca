// expect: false(valid-deref)
// property: valid-deref
#include <wchar.h>
int main(void) {
  wchar_t to[4];
  wcscpy(to, L"four");
  return 0;
}
