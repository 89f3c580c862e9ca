// expect: true
// property: unreach-call
#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 10) abort();
  if (n < -10) exit(3);
  if (n > 20) reach_error();
  return 0;
}
