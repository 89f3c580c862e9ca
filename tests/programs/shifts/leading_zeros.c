// expect: true
// proved-by: auto
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (x) assert(__builtin_clz(x) <= 31 && __builtin_ctz(x) <= 31);
  assert(__builtin_ffs(x) <= 32 && __builtin_popcount(x) <= 32);
  return 0;
}
