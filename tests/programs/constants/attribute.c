// expect: false(no-overflow) line 6
// property: no-overflow
#include <limits.h>
__attribute__((no_sanitize("undefined")))
int next(int x) {
  return x + 1;
}
int main(void) {
  return next(INT_MAX);
}
