// expect: false(no-overflow) line 7
// property: no-overflow
#include <limits.h>
int main(void) {
  long n = LONG_MAX - 1;
  n++;
  n++;
  return n < 0;
}
