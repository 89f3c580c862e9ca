// expect: false(unreach-call) line 18
// hard-for: dash
// strtod of an exponent that is too large gives infinity.
#include <assert.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  char text[8] = "1e";
  for (int i = 2; i < 5; i++) {
    unsigned char digit = __VERIFIER_nondet_uchar();
    if (digit > 9) return 0;
    text[i] = (char)('0' + digit);
  }
  double value = strtod(text, 0);
  unsigned long bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  unsigned long exponent = bits >> 52;
  assert(exponent != 0x7ff);
  return 0;
}
