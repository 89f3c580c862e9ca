// expect: false(unreach-call) line 13
// The pointer is a multiple of itself on its way.
#include <assert.h>
#include <stdint.h>
int __VERIFIER_nondet_int(void);
int a;
uintptr_t twice;
static void set(int n) { a = n; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  twice = (uintptr_t)set * 2;
  ((void (*)(int))(twice / 2))(n);
  assert(a != 7);
  return 0;
}
