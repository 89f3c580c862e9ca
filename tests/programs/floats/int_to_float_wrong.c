// expect: false(unreach-call) line 9
// hard-for: explicit dpr dash
// Not every int is a float.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  float rounded = n;
  if (n > -1000000000 && n < 1000000000) assert((int)rounded == n);
  return 0;
}
