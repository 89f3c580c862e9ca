// expect: false(unreach-call) line 7
#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  unsigned char stored = a + b;
  assert(stored >= a);
  return 0;
}
