// options: --data-model ILP32
// expect: true
// proved-by: explicit
#include <assert.h>
#include <stdarg.h>

static long double second(int n, ...) {
  va_list list;
  va_start(list, n);
  va_arg(list, int);
  long double x = va_arg(list, long double);
  va_end(list);
  return x;
}
struct s {
  char c;
  long double d;
};
int main(void) {
  assert(sizeof(long double) == 12 && sizeof(struct s) == 16);
  assert(second(2, 1, 2.5L) == 2.5L);
  return 0;
}
