// The length of an array in the head of a loop, with a name of its own block.
// property: no-overflow
// expect: false(no-overflow) line 6
#include <limits.h>

int main(int c, char **v) { enum { K = 5 }; if (c == 1) for (int i[INT_MAX + K < 0 ? 3 : 4], j = 0; j < 1; j++) i[0] = 1; return 0; }
