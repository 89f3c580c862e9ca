// expect: false(unreach-call) line 14
// hard-for: test explicit dpr guided merge dash auto
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
  double twice = 2 * r + fmod(y, x);
  assert(twice < 11);
  return 0;
}
