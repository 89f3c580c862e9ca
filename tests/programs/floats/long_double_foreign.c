// Bytes that are no double.
// expect: unknown
#include <assert.h>
#include <string.h>

int main(void) {
  long double x = 1;
  unsigned char *p = (unsigned char *)&x;
  p[0] = 1;
  assert(x == 1);
  return 0;
}
