// expect: true
#include <assert.h>
int main(void) {
  double sum = 0;
  for (int i = 0; i < 10; i++) sum += 0.1;
  assert(sum != 1.0);
  assert(sum > 0.99 && sum < 1.01);
  float f = 16777216.0f;
  assert(f + 1.0f == f);
  assert((double)f + 1.0 != (double)f);
  assert(0.1f != 0.1);
  return 0;
}
