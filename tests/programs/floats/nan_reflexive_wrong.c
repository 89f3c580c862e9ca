// expect: false(unreach-call) line 7
// hard-for: dpr
#include <assert.h>
double __VERIFIER_nondet_double(void);
int main(void) {
  double x = __VERIFIER_nondet_double();
  assert(x == x);
  return 0;
}
