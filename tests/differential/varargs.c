#include <stdarg.h>
#include <stdio.h>
struct p { int x; double y; };
static void show(const char *kinds, ...) {
  va_list list, copy;
  va_start(list, kinds);
  va_copy(copy, list);
  for (; *kinds; kinds++) switch (*kinds) {
      case 'i': printf("%d ", va_arg(list, int)); break;
      case 'u': printf("%lu ", va_arg(list, unsigned long)); break;
      case 'd': printf("%g ", va_arg(list, double)); break;
      case 's': printf("%s ", va_arg(list, char *)); break;
      case 'p': {
        struct p p = va_arg(list, struct p);
        printf("(%d %g) ", p.x, p.y);
      }
    }
  va_end(list);
  printf("first %d\n", va_arg(copy, int));
  va_end(copy);
}
int main(void) {
  struct p p = {3, 4.5};
  show("iudsp", 1, 2ul, 3.5, "four", p);
  show("iiiiiiiiddddddddddis", 1, 2, 3, 4, 5, 6, 7, 8, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11, "end");
  return 0;
}
