// The length of an array is folded.
// property: no-overflow
// expect: false(no-overflow) line 6
#include <limits.h>

int a1[INT_MAX+1 < 0 ? 3 : 4];
int main(void) { return a1[0]; }
