// expect: true
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
static int format(char *to, size_t size, const char *text, ...) {
  va_list list;
  va_start(list, text);
  int n = vsnprintf(to, size, text, list);
  va_end(list);
  return n;
}
int main(void) {
  char buffer[64];
  assert(format(buffer, sizeof buffer, "%s=%d %c %.2f", "x", -5, '!', 3.14159) == 11);
  assert(strcmp(buffer, "x=-5 ! 3.14") == 0);
  return 0;
}
