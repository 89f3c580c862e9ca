// expect: false(valid-deref) line 5
#include <stdlib.h>
int main(void) {
  int *a = calloc(4, sizeof *a);
  int x = a[-1];
  free(a);
  return x;
}
