// expect: true
#include <klee/klee.h>
int main(void) {
  int a = klee_range(-5, 6, "a");
  int b = klee_int("b");
  klee_assume((b > 0) & (b < 100));
  klee_assert(a >= -5 && a <= 5 && a + b < 200);
  return 0;
}
