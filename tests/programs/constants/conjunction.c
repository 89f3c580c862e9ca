// expect: false(no-overflow) line 6
// property: no-overflow
#include <limits.h>
int x = 1;
int main(void) {
  return (INT_MAX + 1) && x;
}
