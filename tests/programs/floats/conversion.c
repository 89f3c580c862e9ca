// expect: true
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  double exact = n;
  assert((int)exact == n);
  assert((int)3.99 == 3 && (int)-3.99 == -3);
  assert((float)16777217 == 16777216.0f);
  assert((unsigned)3000000000.0 == 3000000000u);
  return 0;
}
