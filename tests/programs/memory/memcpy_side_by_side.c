// expect: true
// proved-by: merge
// Places that touch do not overlap, nor do empty ones; the same place twice is let pass, as compilers copy structs so.
#include <assert.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

int main(void) {
  char text[10] = "abcdef";
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 3) return 0;
  memcpy(text + 3, text, n);
  memcpy(text, text + 3, n);
  memcpy(text + 1, text, 0);
  memcpy(text, text, n);
  memmove(text + 1, text, 3);
  assert(text[1] == 'a');
  return 0;
}
