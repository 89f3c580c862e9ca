// A register that is not read any more keeps nothing.
// expect: false(valid-memtrack) line 8
// property: valid-memtrack
#include <stdlib.h>
static int *kept;
static void keep(int *what) { kept = what; }
int main(void) {
  keep(malloc(4));
  kept = 0;
  exit(0);
}
