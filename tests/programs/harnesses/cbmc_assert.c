// expect: false(unreach-call) line 8
// hard-for: explicit
#include <cbmc.h>
int main(void) {
  int x = nondet_int(), y = nondet_int();
  __CPROVER_assume(x > 0 && y > x);
  __CPROVER_assert(y > 0, "order");
  __CPROVER_assert(y - x < 1000, "close");
  return 0;
}
