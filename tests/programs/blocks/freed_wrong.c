// The copy is lost on one path.
// expect: false(valid-memtrack)
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
  if (size != 3) free(other);
  return 0;
}
