// An interrupt between EEMPE and EEPE makes the EEPROM refuse the write.
// mcu: atmega328p
// ask: AG(tried -> started) => fails
// ask: EF(tried && started) => holds
#include <avr/interrupt.h>
#include <avr/io.h>
volatile uint8_t tried, started, count;
ISR(INT0_vect) { count ^= 1; }
int main(void) {
  EIMSK = 1;
  sei();
  EEDR = 5;
  EECR |= _BV(EEMPE);
  EECR |= _BV(EEPE);
  cli();
  // EEMPE is cleared when the write starts; long before that it has expired.
  started = (EECR & _BV(EEPE)) != 0;
  tried = 1;
  for (;;) {
  }
}
