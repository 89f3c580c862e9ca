// A compound literal of constants may be copied from a constant object.
// property: no-overflow
// expect: false(no-overflow) line 7
#include <limits.h>

struct P { int a, b; };
int main(void) { struct P *p = &(struct P){1 ? INT_MAX+1 : 3, 2}; return p->b - 2; }
