// An interrupt without a handler: the C library starts the program anew.
// mcu: atmega328p
// ask: AG(PORTB == 0) => violation TIMER0_OVF
#include <avr/interrupt.h>
#include <avr/io.h>
int main(void) {
  TCCR0B = 1;
  TIMSK0 = _BV(TOIE0);
  sei();
  for (;;) {
  }
}
