// expect: true
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
struct packed { unsigned low : 5, middle : 6, high : 5; };
int main(void) {
  struct packed p = {1, 2, 3};
  p.middle = __VERIFIER_nondet_uint();
  assert(p.low == 1 && p.high == 3 && p.middle < 64);
  return 0;
}
