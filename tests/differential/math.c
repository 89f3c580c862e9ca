#include <math.h>
#include <stdio.h>
int main(void) {
  double values[] = {0.0, 0.5, -0.5, 1.0, 1.5, 2.5, -2.5, 3.7, -3.7, 100.25, 1e10, -1e-5};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    double v = values[i];
    int e;
    double whole, f = frexp(v, &e), rest = modf(v, &whole);
    printf("%g: %g %g %g %g %g %ld %g %d ", v, floor(v), ceil(v), trunc(v), round(v), rint(v), lround(v), f, e);
    printf("%g %g %.12g %.12g %.12g\n", rest, whole, sin(v), exp(v / 10), sqrt(fabs(v)));
  }
  printf("%.12g %.12g %.12g %.12g\n", pow(2, 0.5), atan2(1, -1), hypot(3, 4), log(10));
  volatile double third = 1.0 / 3, product = third * 3;
  printf("%a %a %a\n", fma(third, 3, -product), fma(third, third, 1e-20), (double)fmaf(0.1f, 10, -1));
  printf("%g %g %g %g %g\n", fmod(10, 3), fmod(-10, 3), fmin(1, 2), fmax(1, 2), fdim(3, 1));
  printf("%d %d %d %d %d\n", isnan(NAN), !!isinf(INFINITY), isfinite(1.0), signbit(-0.0) != 0, fpclassify(0.0) == FP_ZERO);
  printf("%g %g %g %.9g\n", ldexp(0.75, 4), copysign(3, -1), nextafter(1, 2) - 1, sinf(1.0f));
  return 0;
}
