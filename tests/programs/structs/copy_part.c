// A copy has the values of the members that have one.
// expect: true
// proved-by: explicit
#include <assert.h>
struct S { int x, y; char c; long l; };
int main(void) {
  struct S a; a.x = 1; struct S b = a; assert(b.x == 1); struct S c; c = b; assert(c.x == 1); return 0; }
