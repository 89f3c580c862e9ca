// expect: false(valid-deref) line 7
#include <stdlib.h>
int main(void) {
  int *a = malloc(4);
  *a = 1;
  int *b = realloc(a, 400);
  *a = 2;
  free(b);
  return 0;
}
