// expect: false(unreach-call) line 8
// hard-for: dash
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
static unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 10;
  assert(fibonacci(n) != 21);
  return 0;
}
