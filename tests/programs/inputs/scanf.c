// expect: false(no-div-by-zero) line 7
// hard-for: explicit
#include <stdio.h>
int main(void) {
  int a, b;
  if (scanf("%d %d", &a, &b) != 2) return 1;
  return a / b;
}
