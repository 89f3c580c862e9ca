// expect: false(no-overflow)
// property: no-overflow
#include <limits.h>
#include <stdlib.h>
int main(void) {
  int r = abs(INT_MIN);
  (void)r;
  return 0;
}
