// expect: false(no-overflow) line 5
// property: no-overflow
#include <limits.h>
int main(void) {
  if (INT_MAX + 1 > 0) return 1;
  return 0;
}
