// A constant initialiser in the head of a loop is folded.
// property: no-overflow
// expect: false(no-overflow) line 6
#include <limits.h>

int main(void) { for (int i[] = {1 ? INT_MAX+1 : 3, 2}, j = 0; j < 1; j++) i[0] = 1; return 0; }
