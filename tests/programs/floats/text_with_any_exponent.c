// expect: true
// proved-by: merge
// strtod costs the same for every exponent.
#include <assert.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  char text[8] = "1e", *end;
  for (int i = 2; i < 5; i++) {
    unsigned char digit = __VERIFIER_nondet_uchar();
    if (digit > 9) return 0;
    text[i] = (char)('0' + digit);
  }
  strtod(text, &end);
  assert(end == text + 5);
  return 0;
}
