// expect: false(no-overflow) line 5
// property: no-overflow
#include <limits.h>
int main(void) {
  int i = INT_MAX + 1;
  return i;
}
