#include <stdio.h>
static int calls;
static int yes(void) { return ++calls; }
static int no(void) { return ++calls, 0; }
int main(void) {
  int a = yes() || no(), b = no() && yes(), c = no() ? 1 : yes() ? 2 : 3;
  printf("%d %d %d %d\n", a, b, c, calls);
  int x = 5, y;
  y = x++ + 2;
  printf("%d %d\n", x, y);
  y = (x = 3, x * 2);
  x -= 1;
  printf("%d ", y);
  printf("%d %d %d\n", !x, !!x, -x);
  unsigned char k = 250;
  for (int i = 0; i < 10; i++) k++;
  printf("%u %d\n", k, sizeof(k++) == 1);
  return 0;
}
