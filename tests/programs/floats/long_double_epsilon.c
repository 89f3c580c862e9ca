// A sum that double cannot hold.
// expect: unknown
#include <assert.h>
#include <float.h>

int main(void) {
  long double one = 1;
  assert(one + LDBL_EPSILON == one);
  return 0;
}
