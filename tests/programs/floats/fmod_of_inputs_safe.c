// expect: true
// No solver behind whittle knows fmod: engines that ask one answer `unknown`, and none fails.
#include <assert.h>
#include <math.h>
double __VERIFIER_nondet_double(void);
int main(void) {
  double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
  if (!(x >= 0 && x <= 1000 && y >= 1 && y <= 10)) return 0;
  double r = fmod(x, y);
  assert(r < y);
  assert(r >= 0);
  assert(remainder(x, y) <= 5);
  return 0;
}
