// expect: false(unreach-call) line 9
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint(), y = x;
  if (n == 0 || n > 40) return 0;
  // The processor takes five bits of the number: a shift by 32 shifts by nothing.
  __asm__("shrl %%cl,%0" : "+r"(y) : "c"(n) : "cc");
  assert(x == 0 || y != x);
  return 0;
}
