// expect: true
#include <assert.h>
int __VERIFIER_nondet_int(void);
static int number(void *p) {
  return (int)(long)p;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  void *p = (void *)(long)x;
  assert(number(p) == x);
  return 0;
}
