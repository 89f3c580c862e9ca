// expect: false(unreach-call)
#include <assert.h>
#include <wchar.h>
int main(void) {
  assert(wcscmp(L"c", L"a") == 2);
  return 0;
}
