#include <stdio.h>
typedef int (*operation)(int, int);
static int add(int a, int b) { return a + b; }
static int mul(int a, int b) { return a * b; }
static int pow_(int a, int b) { return b ? a * pow_(a, b - 1) : 1; }
static int fold(operation f, const int *a, int n, int start) {
  for (int i = 0; i < n; i++) start = f(start, a[i]);
  return start;
}
static operation choose(char c) { return c == '+' ? add : c == '*' ? mul : pow_; }
int main(void) {
  int a[] = {1, 2, 3, 2};
  for (const char *p = "+*^"; *p; p++) printf("%c %d\n", *p, fold(choose(*p), a, 4, 2));
  operation table[] = {add, mul, pow_};
  printf("%d %d\n", table[1](6, 7), (*table[2])(2, 10));
  return 0;
}
