// A global leads to it.
// expect: true
// proved-by: shape
// property: valid-memtrack
#include <stdlib.h>
static int *kept;
static void keep(int *what) { kept = what; }
int main(void) {
  keep(malloc(4));
  exit(0);
}
