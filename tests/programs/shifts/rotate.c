// expect: true
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
static unsigned rotate(unsigned x, unsigned by) { return x << (by & 31) | x >> (-by & 31); }
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), by = __VERIFIER_nondet_uint();
  assert(rotate(rotate(x, by), -by) == x);
  assert(rotate(1, 31) == 0x80000000u && rotate(5, 0) == 5);
  assert(-8 >> 1 == -4 && 0x80000000u >> 31 == 1);
  return 0;
}
