// expect: false(unreach-call) line 8
// A local variable without a value has any value.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int x;
  if (__VERIFIER_nondet_int()) x = 1;
  assert(x == 1);
  return 0;
}
