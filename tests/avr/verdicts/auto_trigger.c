// With ADATE hardware sets ADSC, too.
// mcu: atmega328p
// ask: AG(!seen) => fails
// ask: EF(ADCSRA.ADSC) => holds
// ask: AG(early == 0) => holds
#include <avr/io.h>
volatile uint8_t seen, early;
int main(void) {
  ADCSRA = _BV(ADEN);
  early = ADCSRA & _BV(ADSC);
  ADCSRB = 4;  // timer 0 overflows
  ADCSRA = _BV(ADEN) | _BV(ADATE);
  for (;;) {
    if (ADCSRA & _BV(ADSC)) seen = 1;
  }
}
