// expect: true
// A variable lives until its function returns, as far as most compilers and this checker are concerned.
#include <assert.h>
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    int square = i * i;
    int *p = &square;
    sum += *p;
  }
  assert(sum == 5);
  return 0;
}
