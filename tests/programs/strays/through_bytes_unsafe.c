// expect: false(unreach-call)
// hard-for: auto test explicit dpr guided merge shape dash
// property: unreach-call
// A pointer that is copied byte by byte.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
#include <string.h>
int x;
int *from = &x, *to;
int main(void) {
  int n = __VERIFIER_nondet_int();
  for (unsigned i = 0; i < sizeof from; i++) ((char *)&to)[i] = ((char *)&from)[i];
  *to = n;
  if (x == 7) reach_error();
  return 0;
}
