// sizeof needs the length of an array.
// property: no-overflow
// expect: false(no-overflow) line 6
#include <limits.h>

int main(void) { int x = sizeof(int[INT_MAX+1<0?1:2]); return x - 4; }
