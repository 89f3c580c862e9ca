// A row of any size is copied, ended, and walked through.
// expect: true
// proved-by: shape auto
// property: valid-deref,valid-free,valid-memtrack,valid-memcleanup
// time: 30
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned size = __VERIFIER_nondet_uint();
  if (size < 1 || size > 100) return 0;
  char *row = malloc(size);
  memset(row, 'a', size);
  char *other = malloc(size + 1);
  memcpy(other, row, size);
  other[size] = 0;
  free(row);
  for (char *p = other; *p; p++) *p = 'b';
  free(other);
  return 0;
}
