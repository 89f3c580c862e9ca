// expect: true
#include <assert.h>
#include <math.h>
int main(void) {
  volatile double zero = 0.0;
  double infinity = 1.0 / zero, nan = zero / zero;
  assert(isinf(infinity) && infinity > 1e308 && -infinity < -1e308);
  assert(isnan(nan) && nan != nan && !(nan < 0) && !(nan >= 0));
  assert(-0.0 == 0.0 && signbit(-0.0) && !signbit(0.0));
  assert(isinf(infinity + 1) && isnan(infinity - infinity));
  return 0;
}
