// Quotient and remainder make the number again.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  if (a >= 4096 || b == 0 || b >= 64) return 0;
  assert(a / b * b + a % b == a);
  assert(a % b < b);
}
