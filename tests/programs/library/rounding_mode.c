// expect: true
// proved-by: explicit
#include <assert.h>
#include <fenv.h>
int main(void) {
  assert(fegetround() == FE_TONEAREST);
  assert(fesetround(FE_TONEAREST) == 0 && fesetround(12345) != 0);
  return 0;
}
