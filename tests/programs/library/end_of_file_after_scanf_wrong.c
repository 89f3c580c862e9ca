// expect: false(unreach-call)
#include <assert.h>
#include <stdio.h>
int main(void) {
  int n = 0;
  if (scanf("%d", &n) == 1) assert(!feof(stdin));
  return 0;
}
