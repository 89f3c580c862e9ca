// A pin that a timer drives does not read what PORTx holds.
// mcu: atmega328p
// ask: AG(!high) => fails
// ask: AG(!other) => holds
#include <avr/io.h>
volatile uint8_t high, other;
int main(void) {
  DDRD = _BV(6) | _BV(7);
  TCCR0A = _BV(COM0A1) | _BV(WGM01) | _BV(WGM00);
  TCCR0B = 1;
  for (;;) {
    if (PIND & _BV(6)) high = 1;
    if (PIND & _BV(7)) other = 1;
  }
}
