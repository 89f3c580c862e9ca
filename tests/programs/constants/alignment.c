// An alignment is folded.
// property: no-overflow
// expect: false(no-overflow) line 6
#include <limits.h>

_Alignas(INT_MAX+1 < 0 ? 8 : 16) int al;
int main(void) { return al; }
