// The same from the heap, by value and back.
// expect: false(unreach-call)
// hard-for: test dpr
#include <assert.h>
#include <string.h>
#include <stdlib.h>
struct S { int x, y; };
struct S f(struct S s) { return s; }
int main(void) {
  struct S *a = malloc(sizeof *a), b; b = f(*a); assert(b.y != 9); return 0; }
