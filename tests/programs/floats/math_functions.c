// expect: true
#include <assert.h>
#include <math.h>
int main(void) {
  assert(sqrt(2.0) * sqrt(2.0) > 1.999999);
  assert(floor(-1.5) == -2 && ceil(-1.5) == -1 && trunc(-1.5) == -1 && round(-1.5) == -2 && rint(2.5) == 2);
  assert(fabs(-3.0) == 3.0 && fmod(7.5, 2.0) == 1.5 && fmod(-7.5, 2.0) == -1.5);
  assert(fmin(1.0, NAN) == 1.0 && fmax(1.0, 2.0) == 2.0);
  int exponent;
  assert(frexp(48.0, &exponent) == 0.75 && exponent == 6 && ldexp(0.75, 6) == 48.0);
  double whole;
  assert(modf(3.25, &whole) == 0.25 && whole == 3.0);
  assert(copysign(2.0, -0.0) == -2.0 && lround(2.5) == 3);
  assert(fabs(sin(0.5) - 0.479425538604203) < 1e-12 && pow(2.0, 10.0) == 1024.0);
  return 0;
}
