// Not every register is zero after a reset, and EEAR is anything.
// mcu: atmega328p
// ask: AG(done -> frame == 0x06 && address == 0xfe) => holds
// ask: EF(done) => holds
// ask: AG(TWAR == 0xfe) => holds
// ask: AG(!low) => fails
// ask: EF(done && !low) => holds
#include <avr/io.h>
volatile uint8_t frame, address, low, done;
int main(void) {
  frame = UCSR0C;
  address = TWAR;
  low = EEARL & 1;
  done = 1;
  for (;;) {
  }
}
