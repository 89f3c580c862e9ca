// expect: false(unreach-call) line 7
#include <assert.h>
int __CPROVER_uninterpreted_f(int);
int main(void) {
  int a = __CPROVER_uninterpreted_f(1), b = __CPROVER_uninterpreted_f(2);
  if (a != 3) return 0;
  assert(a == b);
}
