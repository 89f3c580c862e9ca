// The frame of a large local array reaches into data: no push does.
// mcu: attiny85
// ask: AG true => violation stack runs into data
#include <stdint.h>
volatile uint8_t table[440];
__attribute__((noinline)) uint8_t sum(uint8_t n) {
  volatile uint8_t local[80];
  uint8_t i, s = 0;
  for (i = 0; i < sizeof local; ++i) local[i] = i + n;
  for (i = 0; i < sizeof local; ++i) s += local[i];
  return s;
}
int main(void) {
  table[0] = sum(table[1]);
  for (;;) {
  }
}
