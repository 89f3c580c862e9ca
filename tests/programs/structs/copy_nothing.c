// A copy of a copy of no value may have any.
// expect: false(unreach-call)
// hard-for: dash
#include <assert.h>
struct S { int x, y; char c; long l; };
int main(void) {
  struct S a, b = a; struct S c = b; assert(c.l != 77); return 0; }
