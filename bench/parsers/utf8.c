// branchless-utf8: of N bytes (at least 4), a code point is in range and the pointer goes on by 1 to 4, as the length says.
// source: skeeto/branchless-utf8
// sizes: 4
#include <assert.h>
#include "utf8.h"
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char text[N];
  for (int i = 0; i < N; i++) text[i] = __VERIFIER_nondet_uchar();
  uint32_t c;
  int error;
  unsigned char *next = utf8_decode(text, &c, &error);
  assert(next > text && next <= text + 4);
  if (!error) {
    assert(c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff));
    assert((next - text == 1) == (c < 0x80) && (next - text == 4) == (c >= 0x10000));
  }
  return 0;
}
