// expect: false(no-overflow) line 4
// property: no-overflow
#include <limits.h>
int limit = INT_MAX + 1;
int main(void) {
  return limit;
}
