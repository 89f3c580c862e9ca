// mcu: atmega328p
// ask: EF(R24 == 77) => holds
// ask: AG(R24 != 77) => fails
// ask: AG(R2 == 0) => holds
#include <stdint.h>
volatile uint8_t out;
int main(void) {
  register uint8_t x __asm__("r24");
  __asm__ volatile("ldi %0, 77" : "=d"(x));
  out = x;
  for (;;) {
  }
}
