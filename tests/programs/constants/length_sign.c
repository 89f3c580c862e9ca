// A shift into the sign bit in a length.
// property: no-overflow
// expect: false(no-overflow) line 6
#include <limits.h>

int main(void) { int i[((1<<31) != 0) + 1]; i[0] = 1; return 0; }
