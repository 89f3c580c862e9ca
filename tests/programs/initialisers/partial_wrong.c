// expect: false(unreach-call) line 6
#include <assert.h>
int main(void) {
  int a[4] = {1};
  assert(a[0] == 1 && a[3] == 0);
  assert(a[1] == 1);
  return 0;
}
