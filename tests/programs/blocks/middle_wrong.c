// There may be no such element.
// expect: false(valid-deref)
// property: valid-deref,valid-free,valid-memtrack,unreach-call
// hard-for: merge
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_error(void);
int main(void) {
  unsigned size = __VERIFIER_nondet_uchar(), at = __VERIFIER_nondet_uchar();
  if (size > 4 || at >= size) return 0;
  int *numbers = calloc(size, sizeof *numbers), *p = numbers;
  if (at != 2) numbers[at] = 7;
  while (*p != 7) {
    if (*p != 0) __VERIFIER_error();
    p++;
  }
  free(numbers);
  return 0;
}
