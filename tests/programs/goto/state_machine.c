// expect: true
#include <assert.h>
_Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int opened = 0;
closed:
  assert(opened == 0);
  if (__VERIFIER_nondet_bool()) goto end;
  opened++;
  goto open;
open:
  assert(opened == 1);
  if (__VERIFIER_nondet_bool()) goto open;
  opened--;
  goto closed;
end:
  return opened;
}
