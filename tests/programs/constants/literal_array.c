// A compound literal of constants may be copied from a constant object.
// property: no-overflow
// expect: false(no-overflow) line 6
#include <limits.h>

int main(void) { int *p = (int[]){1,2,3,4,5,6,1 ? INT_MAX+1 : 3,8,9,10,11,12}; return p[0] - 1; }
