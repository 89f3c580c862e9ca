// The width of a bit-field is folded.
// property: no-overflow
// expect: false(no-overflow) line 6
#include <limits.h>

struct s { int x : (INT_MAX+1 < 0 ? 3 : 4); } s;
int main(void) { return s.x; }
