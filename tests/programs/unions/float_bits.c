// expect: true
#include <assert.h>
#include <stdint.h>
union bits { float f; uint32_t u; };
int main(void) {
  union bits b = {.f = 1.0f};
  assert(b.u == 0x3f800000);
  b.u ^= 0x80000000;
  assert(b.f == -1.0f);
  b.u = 0x7f800000;
  assert(b.f > 3.4e38f);
  return 0;
}
