// expect: false(unreach-call)
// hard-for: auto test explicit dpr guided merge shape dash
// property: unreach-call
// A pointer that is hidden from the analysis.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
#include <stdint.h>
int x;
uintptr_t hidden;
int main(void) {
  int n = __VERIFIER_nondet_int();
  hidden = (uintptr_t)&x ^ 0x55;
  *(int *)(hidden ^ 0x55) = n;
  if (x == 7) reach_error();
  return 0;
}
