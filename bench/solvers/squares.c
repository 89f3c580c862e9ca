// (a + b)(a - b) is a*a - b*b, in 16 bits.
#include <assert.h>

unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
  unsigned short a = __VERIFIER_nondet_ushort(), b = __VERIFIER_nondet_ushort();
  unsigned short left = (unsigned short)((unsigned)(a + b) * (unsigned)(a - b));
  unsigned short right = (unsigned short)((unsigned)a * a - (unsigned)b * b);
  if (a < 64 && b < 64) assert(left == right);
}
