// A length in a cast.
// property: no-overflow
// expect: false(no-overflow) line 6
#include <limits.h>

int main(void) { char c[16]; (void)(int (*)[INT_MAX+1<0?2:3])c; return 0; }
