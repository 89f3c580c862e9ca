// A conversion that is over has its interrupt even when the converter is switched off before interrupts are allowed;
// one that was never started has none.
// mcu: atmega328p
// ask: AG(!stage) => fails
// ask: AG(count <= 1) => holds
// ask: EF(count == 1) => holds
// ask: AG(stage == 0 -> count == 0) => holds
#include <avr/interrupt.h>
#include <avr/io.h>
volatile uint8_t stage, count;
ISR(ADC_vect) { count++; }
int main(void) {
  ADCSRA = _BV(ADIE);
  sei();
  ADMUX = 1;
  cli();
  ADCSRA = _BV(ADEN) | _BV(ADSC) | _BV(ADIE);
  while (ADCSRA & _BV(ADSC)) {
  }
  ADCSRA = _BV(ADIE);
  stage = 1;
  sei();
  for (;;) {
  }
}
