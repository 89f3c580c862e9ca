// expect: true
#include <assert.h>
#include <stdbool.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  bool b = n;
  bool from_float = 0.25;
  assert(b == (n != 0));
  assert(b + b <= 2);
  assert(from_float == 1);
  return 0;
}
