// A quotient that double cannot hold.
// expect: unknown
#include <assert.h>

int main(void) {
  long double one = 1, three = 3;
  double third = 1.0 / 3.0;
  assert(one / three == third);
  return 0;
}
