// expect: true
#include <assert.h>
#include <stdint.h>
unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  uint64_t a = __VERIFIER_nondet_ulong(), b = 0xfedcba9876543210u;
  unsigned __int128 product = (unsigned __int128)a * b;
  assert((uint64_t)product == a * b);
  assert((uint64_t)(product >> 64) < b);
  return 0;
}
