// expect: false(unreach-call) line 9
#include <assert.h>
#include <stdlib.h>
int main(void) {
  srand(1);
  int a = rand();
  srand(2);
  int b = rand();
  assert(a == b);
  return 0;
}
