// expect: true
#include <assert.h>
signed char __VERIFIER_nondet_char(void);
int main(void) {
  signed char c = __VERIFIER_nondet_char();
  long wide = c;
  unsigned long unsigned_wide = (unsigned long)c;
  assert(wide >= -128 && wide <= 127);
  assert((c < 0) == (unsigned_wide > 1000));
  assert((unsigned char)c == (wide & 0xff));
  return 0;
}
