// A product that double cannot hold.
// expect: unknown
#include <assert.h>

int main(void) {
  long double a = 0x1.0000001p0L;
  double d = 0x1.0000001p0;
  assert(a * a == d * d);
  return 0;
}
