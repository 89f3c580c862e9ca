// expect: false(valid-deref) line 6
#include <stdlib.h>
int main(void) {
  char *bytes = calloc(16, 1);
  int *p = (int *)(bytes + 1);
  int value = *p;
  free(bytes);
  return value;
}
