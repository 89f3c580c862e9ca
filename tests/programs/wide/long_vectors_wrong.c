// expect: false(unreach-call) line 9
#include <assert.h>
typedef short v16 __attribute__((vector_size(32)));
extern short __VERIFIER_nondet_short(void);
int main(void) {
  v16 a = {0};
  a[11] = __VERIFIER_nondet_short();
  v16 b = a << 2 | 1;
  assert(b[11] != 4001);
  return 0;
}
