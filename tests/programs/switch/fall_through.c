// expect: false(unreach-call) line 12
// A forgotten break.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int kind = __VERIFIER_nondet_int(), result = 0;
  switch (kind) {
    case 1: result = 10;
    case 2: result = 20; break;
    default: break;
  }
  if (kind == 1) assert(result == 10);
  return 0;
}
