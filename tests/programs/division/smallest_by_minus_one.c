// expect: false(no-div-by-zero) line 6
#include <limits.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int a = INT_MIN, b = __VERIFIER_nondet_int() & 1 ? -1 : 2;
  return a / b;
}
