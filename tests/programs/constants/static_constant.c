// expect: false(no-overflow) line 6
// property: no-overflow
#include <limits.h>
static const int k = INT_MAX;
int main(void) {
  return k + 1;
}
