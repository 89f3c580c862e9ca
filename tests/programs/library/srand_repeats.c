// expect: true
// proved-by: guided
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int first = rand();
  srand(7);
  int a = rand(), b = rand();
  srand(7);
  assert(a == rand() && b == rand());
  srand(1);
  assert(first == rand());
  assert(a >= 0 && a <= RAND_MAX);
  return 0;
}
