// expect: false(no-overflow) line 8
// property: no-overflow
#include <limits.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int at = __VERIFIER_nondet_int();
  int table[2] = {1,
                  INT_MAX + 1};
  return table[at & 1];
}
