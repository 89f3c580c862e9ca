// expect: false(unreach-call) line 10
#include <assert.h>
int __VERIFIER_nondet_int(void);
typedef int ints __attribute__((vector_size(32)));
static ints plus(ints a, int k) { return a + k; }
int main(void) {
  int x = __VERIFIER_nondet_int() & 0xff;
  ints a = {0, 0, 0, 0, 0, x, 0, 0};
  a = plus(a, 3);
  assert(a[5] != 100);
  return 0;
}
