// expect: true
// property: no-overflow
// The failing assertion is not what the property is about.
#include <assert.h>
int main(void) {
  int x = 1;
  assert(x == 2);
  return 0;
}
