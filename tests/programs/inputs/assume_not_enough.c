// expect: false(unreach-call) line 8
#include <assert.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > -20 && x < 20);
  assert(x * x < 361);
  return 0;
}
