// expect: true
// property: memory-safety,unreach-call
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *a = malloc(2 * sizeof *a);
  a[0] = 1;
  a[1] = 2;
  a = realloc(a, 50 * sizeof *a);
  a[49] = 3;
  assert(a[0] == 1 && a[1] == 2);
  a = realloc(a, sizeof *a);
  assert(a[0] == 1);
  free(a);
  return 0;
}
