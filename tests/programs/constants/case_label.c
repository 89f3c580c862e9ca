// expect: false(no-overflow) line 7
// property: no-overflow
#include <limits.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  switch (__VERIFIER_nondet_int()) {
    case INT_MAX + 1: return 1;
    default: return 0;
  }
}
