// expect: false(unreach-call) line 9
// hard-for: explicit
#include <assert.h>
#include <stdlib.h>
int main(void) {
  srand(1);
  int a = rand(), b = rand();
  assert(a >= 0 && b >= 0);
  assert(a >= b);
  return 0;
}
