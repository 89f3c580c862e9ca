// A designator is folded.
// property: no-overflow
// expect: false(no-overflow) line 6
#include <limits.h>

int d1[] = { [INT_MAX+1 < 0 ? 1 : 2] = 3 };
int main(void) { return d1[0]; }
