// expect: false(valid-deref) line 6
#include <stdlib.h>
int main(void) {
  int *a = malloc(10 * sizeof(int));
  for (int i = 0; i <= 10; i++)
    a[i] = i;
  free(a);
  return 0;
}
