// A copy without a value gets one when it is first looked at.
// expect: true
// proved-by: explicit
#include <assert.h>
struct S { int x, y; };
int main(void) {
  struct S a, b = a; int k = b.x; assert(k == b.x); return 0; }
