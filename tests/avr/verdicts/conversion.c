// mcu: atmega328p
// ask: EF(ADCSRA.ADSC) => holds
// ask: AG(done -> !ADCSRA.ADSC) => holds
// ask: AG(ADCSRA.ADSC -> !done) => holds
// ask: EF(done) => holds
#include <avr/io.h>
volatile uint8_t done;
int main(void) {
  ADCSRA = _BV(ADEN);
  ADCSRA |= _BV(ADSC);
  while (ADCSRA & _BV(ADSC)) {
  }
  done = 1;
  for (;;) {
  }
}
