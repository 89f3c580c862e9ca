// expect: false(unreach-call) line 15
#include <assert.h>
#include <stdarg.h>
unsigned __VERIFIER_nondet_uint(void);
static int last(int count, ...) {
  va_list list;
  int value = -1;
  va_start(list, count);
  while (count-- > 0) value = va_arg(list, int);
  va_end(list);
  return value;
}
int main(void) {
  int n = (int)(__VERIFIER_nondet_uint() % 4);
  assert(last(n, 1, 2, 3) == n);
  return 0;
}
