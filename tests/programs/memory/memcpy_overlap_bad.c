// expect: false(valid-deref) line 12
// Undefined (C17 7.24.2.1), though no byte outside of the array is touched.
#include <string.h>

int __VERIFIER_nondet_int(void);

int main(void) {
  char text[10] = "abcdef";
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 4) return 0;
  memmove(text + 3, text, n);
  memcpy(text + 3, text, n);
  return 0;
}
