// expect: true
#include <assert.h>
#include <stdarg.h>
struct pair { int x, y; };
static double sum(const char *kinds, ...) {
  va_list list, again;
  double total = 0;
  va_start(list, kinds);
  va_copy(again, list);
  for (const char *k = kinds; *k; k++) {
    if (*k == 'i') total += va_arg(list, int);
    else if (*k == 'd') total += va_arg(list, double);
    else if (*k == 'l') total += va_arg(list, long long);
    else if (*k == 'p') {
      struct pair p = va_arg(list, struct pair);
      total += p.x + p.y;
    }
  }
  va_end(list);
  if (*kinds == 'i') assert(va_arg(again, int) == 1);
  va_end(again);
  return total;
}
int main(void) {
  struct pair p = {10, 20};
  assert(sum("idlp", 1, 2.5, 3ll, p) == 36.5);
  assert(sum("") == 0 && sum("dddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.) == 55);
  assert(sum("iiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) == 55);
  return 0;
}
