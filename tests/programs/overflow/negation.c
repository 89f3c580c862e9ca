// expect: false(no-overflow) line 8
// hard-for: explicit dpr
// property: no-overflow
#include <limits.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) n = -n;
  return n == 0;
}
