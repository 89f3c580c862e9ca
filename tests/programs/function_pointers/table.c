// expect: true
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int (*const operations[3])(int, int) = {add, sub, mul};
int main(void) {
  unsigned i = __VERIFIER_nondet_uint() % 3;
  int result = operations[i](6, 3);
  assert(result == 9 || result == 3 || result == 18);
  assert(operations[1] == sub && operations[0] != mul);
  return 0;
}
