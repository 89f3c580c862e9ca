// expect: false(valid-memcleanup) line 6
// property: valid-memcleanup
#include <stdlib.h>
static int *kept;
int main(void) {
  kept = malloc(sizeof *kept);
  return 0;
}
