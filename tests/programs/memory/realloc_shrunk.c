// expect: false(valid-deref) line 6
#include <stdlib.h>
int main(void) {
  char *a = malloc(100);
  a = realloc(a, 10);
  a[10] = 0;
  free(a);
  return 0;
}
