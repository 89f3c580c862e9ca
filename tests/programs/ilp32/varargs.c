// expect: true
// options: --data-model ILP32
#include <assert.h>
#include <stdarg.h>
static long long sum(int n, ...) {
  va_list list;
  long long total = 0;
  va_start(list, n);
  for (int i = 0; i < n; i++) total += i % 2 ? va_arg(list, long long) : va_arg(list, int);
  va_end(list);
  return total;
}
int main(void) {
  assert(sum(4, 1, 2ll << 40, 3, 4ll) == 8 + (2ll << 40));
  return 0;
}
