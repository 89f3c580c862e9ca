// Too large for double, not for long double.
// expect: unknown
#include <assert.h>
#include <float.h>

int main(void) {
  long double x = DBL_MAX;
  assert(x * 2 == x * 3);
  return 0;
}
