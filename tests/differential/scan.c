#include <stdio.h>
int main(void) {
  int a = 0, b = 0, n = 0;
  double x = 0;
  char word[20] = "", set[20] = "", c = 0;
  printf("%d", sscanf("17 -3 text 2.5", "%d %d %19s %lf", &a, &b, word, &x));
  printf(" %d %d %s %g\n", a, b, word, x);
  printf("%d", sscanf("0x2a,077", "%i,%i%n", &a, &b, &n));
  printf(" %d %d %d\n", a, b, n);
  printf("%d", sscanf("key=value;", "%[a-z]=%19[^;]%c", word, set, &c));
  printf(" %s %s %c\n", word, set, c);
  printf("%d %d\n", sscanf("", "%d", &a), sscanf("x", "%d", &a));
  printf("%d", sscanf("12345", "%2d%3d", &a, &b));
  printf(" %d %d\n", a, b);
  return 0;
}
