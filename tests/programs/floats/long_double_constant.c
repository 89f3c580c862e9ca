// A constant that double cannot hold.
// expect: unknown
#include <assert.h>

int main(void) {
  long double x = 0.1L;
  assert(x == 0.1);
  return 0;
}
