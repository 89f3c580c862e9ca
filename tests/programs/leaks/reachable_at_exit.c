// expect: true
// property: valid-memtrack
// A pointer in a static variable still leads to the memory.
#include <stdlib.h>
static int *kept;
int main(void) {
  kept = malloc(sizeof *kept);
  return 0;
}
