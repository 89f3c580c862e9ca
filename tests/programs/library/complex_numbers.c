// expect: true
// proved-by: explicit
#include <assert.h>
#include <complex.h>
int main(void) {
  double complex z = 3 + 4 * I, w = 1 - 2 * I, p = z * w, q = z / w;
  assert(creal(z) == 3 && cimag(z) == 4 && cimag(conj(z)) == -4 && cabs(z) == 5);
  assert(creal(p) == 11 && cimag(p) == -2 && creal(q) == -1 && cimag(q) == 2);
  float complex f = 1.5f + 2 * I;
  assert(crealf(f * f) == -1.75f && cimagf(f) == 2);
  return 0;
}
