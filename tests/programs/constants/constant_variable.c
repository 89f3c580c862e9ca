// expect: false(no-overflow) line 6
// property: no-overflow
#include <limits.h>
int main(void) {
  const int k = INT_MAX;
  return k + 1;
}
