// expect: true
// Small types are promoted to int before they are added; unsigned char wraps only when stored.
#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  int sum = a + b;
  unsigned char stored = a + b;
  assert(sum >= 0 && sum <= 510);
  assert(stored == sum % 256);
  return 0;
}
