// expect: false(no-overflow) line 8
// hard-for: explicit dpr
// property: no-overflow
// Comparing by subtraction overflows.
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int ascending(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}
int main(void) {
  int a[3];
  for (int i = 0; i < 3; i++) a[i] = __VERIFIER_nondet_int();
  qsort(a, 3, sizeof *a, ascending);
  return 0;
}
