// expect: false(unreach-call) line 14
// hard-for: explicit dpr test
// Inputs can keep the loop going for ever; the error needs one of them to have one value.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int state = 0;
  while (__VERIFIER_nondet_int()) {
    if (state == 0) state = 1;
    else if (state == 1) state = 2;
    else if (state == 2) state = 0;
    if (__VERIFIER_nondet_int() == 42 && state == 2) state = 3;
  }
  assert(state < 3);
  return 0;
}
