// expect: false(valid-free) line 11
// The error path frees what was never allocated.
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int on_stack = 0;
  int *a = &on_stack;
  if (__VERIFIER_nondet_int() > 7) goto fail;
  a = malloc(4);
fail:
  free(a);
  return 0;
}
