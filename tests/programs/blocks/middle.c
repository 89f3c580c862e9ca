// A pointer moves through an array, and stops at an element that is known to be there.
// expect: true
// proved-by: shape auto
// property: valid-deref,valid-free,valid-memtrack,unreach-call
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_error(void);
int main(void) {
  unsigned size = __VERIFIER_nondet_uchar(), at = __VERIFIER_nondet_uchar();
  if (size > 4 || at >= size) return 0;
  int *numbers = calloc(size, sizeof *numbers), *p = numbers;
  numbers[at] = 7;
  while (*p != 7) {
    if (*p != 0) __VERIFIER_error();
    p++;
  }
  free(numbers);
  return 0;
}
