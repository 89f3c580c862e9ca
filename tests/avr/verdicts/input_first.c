// An input that a formula names has any value in the first state, too.
// mcu: atmega328p
// ask: PINB.0 == 0 => fails
// ask: EG(PINB.0 == 1) => holds
// ask: A[PINB.0 == 0 U seen] => fails
#include <avr/io.h>
volatile uint8_t seen;
int main(void) {
  for (;;) {
    if (PINB & 1) seen = 1;
  }
}
