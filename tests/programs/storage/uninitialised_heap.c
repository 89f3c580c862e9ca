// expect: false(unreach-call) line 8
// hard-for: explicit
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p), *q = calloc(1, sizeof *q);
  assert(*q == 0);
  assert(*p == 0);
  return 0;
}
