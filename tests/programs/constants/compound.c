// expect: false(no-overflow) line 6
// property: no-overflow
#include <limits.h>
int x;
int main(void) {
  return ((int[]){1, INT_MAX + 1})[x];
}
