// A long that double holds.
// expect: true
#include <assert.h>
#include <limits.h>

int main(void) {
  long n = (1L << 62) + (1L << 20);
  long double x = n;
  assert(x == n);
  return 0;
}
