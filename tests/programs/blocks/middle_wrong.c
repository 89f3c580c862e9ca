// There may be no such element.
// expect: false(valid-deref)
// property: valid-deref,valid-free,valid-memtrack,unreach-call
// time: 30
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_error(void);
int main(void) {
  unsigned size = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
  if (size > 1000 || at > 5) return 0;
  int *numbers = calloc(size, sizeof *numbers), *p = numbers;
  if (at < size && at != 3) numbers[at] = 7;
  while (*p != 7) {
    if (*p != 0) __VERIFIER_error();
    p++;
  }
  free(numbers);
  return 0;
}
