#include <stdbool.h>
#include <stdio.h>
#define NAME(x) _Generic((x), int: "int", double: "double", char *: "text", default: "other")
_Static_assert(sizeof(char) == 1, "char");
static inline int square(int n) { return n * n; }
int main(void) {
  printf("%s %s %s %s\n", NAME(1), NAME(1.0), NAME("x"), NAME(1u));
  bool b = 7;
  b++;
  printf("%d %d %d\n", b, (bool)0.1, square(b + 2));
  typeof(b) c = !b;
  int sum = ({
    int t = 0;
    for (int i = 0; i < 4; i++) t += i;
    t;
  });
  printf("%d %d %zu\n", c, sum, _Alignof(double));
  return 0;
}
