// x87 holds every long; double does not.
// expect: unknown
#include <assert.h>
#include <limits.h>

int main(void) {
  long n = LONG_MAX;
  long double x = n;
  assert(x + 1 == x);
  return 0;
}
