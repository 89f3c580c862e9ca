// The upper byte of a 16-bit counter is latched: both reads of it give the same value.
// mcu: atmega328p
// ask: AG(!differ) => holds
#include <avr/io.h>
volatile uint8_t differ;
int main(void) {
  TCCR1B = 1;
  for (;;) {
    (void)TCNT1L;
    if (TCNT1H != TCNT1H) differ = 1;
  }
}
