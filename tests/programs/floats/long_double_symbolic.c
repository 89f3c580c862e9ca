// Symbolic values, too.
// expect: false(unreach-call) line 10
// hard-for: dash guided dpr merge
#include <assert.h>
extern short __VERIFIER_nondet_short(void);

int main(void) {
  long double x = __VERIFIER_nondet_short();
  x = x * 2 + 1;
  assert(x != 2001);
  return 0;
}
