// expect: false(unreach-call) line 12
// hard-for: test
// time: 60
// Too many combinations to try, though each input has few values.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char byte[4];
  for (int i = 0; i < 4; i++) byte[i] = __VERIFIER_nondet_uchar();
  assert((byte[0] | byte[1] << 8 | byte[2] << 16 | (unsigned)byte[3] << 24) != 0xfe3c1d07);
  return 0;
}
