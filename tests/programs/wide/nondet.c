// expect: false(unreach-call) line 7
// hard-for: explicit
#include <assert.h>
unsigned __int128 __VERIFIER_nondet_uint128(void);
int main(void) {
  unsigned __int128 n = __VERIFIER_nondet_uint128();
  assert(n >> 64 == 0 || (unsigned long)n == 0);
  return 0;
}
