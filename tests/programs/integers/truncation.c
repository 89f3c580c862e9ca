// expect: false(unreach-call) line 8
// hard-for: explicit dpr
#include <assert.h>
long __VERIFIER_nondet_long(void);
int main(void) {
  long n = __VERIFIER_nondet_long();
  int cut = (int)n;
  assert(cut == n);
  return 0;
}
