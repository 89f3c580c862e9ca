// expect: false(unreach-call) line 11
// hard-for: dpr test
// Only numbers close to an end of the interval are large enough.
#include <assert.h>
float __VERIFIER_nondet_float(void);
static float f(float x) { return x - (x * x * x) / 6.0f + (x * x * x * x * x) / 120.0f; }
int main(void) {
  float x = __VERIFIER_nondet_float();
  if (!(x > -1.57079632679f && x < 1.57079632679f)) return 0;
  assert(f(x) > -1.01f);
  assert(f(x) < 1.0045f);
  return 0;
}
