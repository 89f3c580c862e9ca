// expect: false(unreach-call) line 8
// hard-for: test dpr
// Only one input in four billion fails: work for a solver.
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  assert(x * 3000001u != 12345u);
  return 0;
}
