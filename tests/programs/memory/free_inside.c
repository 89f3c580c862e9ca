// expect: false(valid-free) line 5
#include <stdlib.h>
int main(void) {
  char *p = malloc(8);
  free(p + 1);
  return 0;
}
