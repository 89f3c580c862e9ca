// expect: true
#include <assert.h>
#include <stdint.h>
union word { uint32_t whole; uint8_t byte[4]; struct { uint16_t low, high; }; };
int main(void) {
  union word w = {.whole = 0x11223344};
  assert(w.byte[0] == 0x44 && w.byte[3] == 0x11);
  assert(w.low == 0x3344 && w.high == 0x1122);
  w.byte[1] = 0xff;
  assert(w.whole == 0x1122ff44);
  return 0;
}
