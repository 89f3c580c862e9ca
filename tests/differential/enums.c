#include <stdio.h>
enum color { RED, GREEN = 5, BLUE, LAST = -2 };
enum wide { BIG = 0x7fffffff };
int main(void) {
  enum color c = BLUE;
  printf("%d %d %d %d\n", RED, c, LAST, BIG);
  for (c = GREEN; c <= BLUE; c++) printf("%d ", c);
  printf("%zu\n", sizeof c);
  return c;
}
