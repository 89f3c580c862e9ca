// Bits that do not exist read as zero.
// mcu: atmega328p
// ask: AG(read == 0 || read == 0x0f) => holds
// ask: EF(read == 0x0f) => holds
#include <avr/io.h>
volatile uint8_t read;
int main(void) {
  TCCR0B = 0xff;
  read = TCCR0B;
  for (;;) {
  }
}
