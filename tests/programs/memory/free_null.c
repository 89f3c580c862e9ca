// expect: true
#include <stdlib.h>
int main(void) {
  free(0);
  int *p = calloc(4, sizeof *p);
  int sum = p[0] + p[3];
  free(p);
  return sum;
}
