// The same where control never comes.
// property: no-overflow
// expect: true
#include <limits.h>

int main(void) { int x = 0;  if (x) for (int i[] = {1 ? INT_MAX+1 : 3, 2}, j = 0; j < 1; j++) i[0] = 1; return 0; }
