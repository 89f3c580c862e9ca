// expect: true
// proved-by: auto dash merge
// Bits of products come to no end here; intervals of x tell.
#include <assert.h>
float __VERIFIER_nondet_float(void);
static float f(float x) { return x - (x * x * x) / 6.0f + (x * x * x * x * x) / 120.0f; }
static float slope(float x) { return 1 - (x * x) / 2.0f + (x * x * x * x) / 24.0f; }
int main(void) {
  float x = __VERIFIER_nondet_float();
  if (!(x > -0.6f && x < 0.6f)) return 0;
  assert(f(x) <= 0.75f && f(x) >= -0.75f);
  x = x - f(x) / slope(x);
  assert(x < 0.1f);
  return 0;
}
