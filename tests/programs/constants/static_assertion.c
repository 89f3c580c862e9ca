// A static assertion is folded.
// property: no-overflow
// expect: false(no-overflow) line 6
#include <limits.h>

int main(void) { _Static_assert((1<<31) < 0, ""); return 0; }
