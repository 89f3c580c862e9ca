// expect: true
// proved-by: explicit guided dash merge dpr
#include <assert.h>
#include <math.h>
int main(void) {
  assert(fmod(7.5, 2.0) == 1.5);
  return 0;
}
