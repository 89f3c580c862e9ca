// expect: false(unreach-call) line 9
#include <assert.h>
int __VERIFIER_nondet_int(void);
struct value { int is_float; union { int i; float f; }; };
int main(void) {
  struct value v = {.is_float = __VERIFIER_nondet_int() & 1};
  if (v.is_float) v.f = 1.0f;
  else v.i = 1;
  assert(v.i == 1);
  return 0;
}
