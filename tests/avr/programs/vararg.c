#include <stdarg.h>
#include <stdint.h>
static int32_t __attribute__((noinline)) sum(uint8_t n, ...) {
  va_list list;
  va_start(list, n);
  int32_t s = 0;
  while (n--) s += n & 1 ? va_arg(list, int32_t) : va_arg(list, int);
  va_end(list);
  return s;
}
int main(void) { return (int)sum(4, 100000L, -3, -70000L, 12) + (int)sum(2, 5L, 6) + (int)sum(6, 1L, 2, 3L, 4, 5L, 6) + (int)sum(3, 7, 8L, 9);  }
