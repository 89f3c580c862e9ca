// expect: unknown
// property: valid-memtrack
// The memory is lost in a run that never ends: no engine may claim that nothing is lost.
#include <stdlib.h>
int main(void) {
  char *p = malloc(1);
  p = 0;
  while (1)
    ;
  return p != 0;
}
