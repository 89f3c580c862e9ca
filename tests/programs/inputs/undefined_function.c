// expect: false(unreach-call) line 8
// hard-for: dpr
// A function without a body returns any value.
#include <assert.h>
int sensor(void);
int main(void) {
  int a = sensor();
  assert(a >= 0);
  return 0;
}
