// expect: true
// proved-by: explicit
// time: 60
// Too many combinations to try, though each input has few values.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char byte[4];
  for (int i = 0; i < 4; i++) byte[i] = __VERIFIER_nondet_uchar();
  unsigned word = byte[0] | byte[1] << 8 | byte[2] << 16 | (unsigned)byte[3] << 24;
  unsigned swapped = word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
  assert((swapped & 0xff) == byte[3]);
  assert((swapped >> 8 & 0xff) == byte[2]);
  assert((swapped >> 16 & 0xff) == byte[1]);
  assert(swapped >> 24 == byte[0]);
  return 0;
}
