// expect: false(valid-deref) line 7
#include <string.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  char from[16] = "0123456789", to[12];
  unsigned n = __VERIFIER_nondet_uint() % 17;
  memcpy(to, from, n);
  return to[0];
}
