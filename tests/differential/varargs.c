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
      case 'q': {
        __int128 q = va_arg(list, __int128);
        printf("%lx:%lx ", (unsigned long)(q >> 64), (unsigned long)q);
        break;
      }
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
  __int128 wide = (__int128)5 << 70 | 9;
  struct { long first; __int128 second; } both = {7, 8};
  show("iqi", 1, wide, 2);
  show("qiqdi", wide, 1, wide + 1, 2.5, 3);
  show("iiiiiqiqi", 1, 2, 3, 4, 5, wide, 6, wide, 7);
  show("iuqi", 1, both.first, both.second, 2);
  return 0;
}
