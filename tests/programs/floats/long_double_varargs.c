// long double among variable arguments, and printed.
// expect: true
// proved-by: explicit
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static long double sum(int n, ...) {
  va_list list;
  va_start(list, n);
  long double total = 0;
  for (int i = 0; i < n; i++) {
    total += va_arg(list, int);
    total += va_arg(list, long double);
    total += va_arg(list, double);
  }
  va_end(list);
  return total;
}
int main(void) {
  assert(sum(2, 1, 0.5L, 0.25, 2, 8.0L, 4.0) == 15.75L);
  char text[32];
  snprintf(text, sizeof text, "%.2Lf|%d", 2.5L, 7);
  assert(strcmp(text, "2.50|7") == 0);
  return 0;
}
