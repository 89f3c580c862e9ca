// expect: false(no-overflow) line 5
// property: no-overflow
#include <limits.h>
int main(void) {
  return INT_MIN / -1;
}
