// An ATmega8: the watchdog's period is guarded, too, and there is one interrupt of timer 0.
// mcu: atmega8
// ask: AG(ticks <= 1) => holds
// ask: EF(ticks == 1) => holds
// ask: AG(WDTCR.WDE) => fails
#include <avr/interrupt.h>
#include <avr/io.h>
volatile uint8_t ticks;
ISR(TIMER0_OVF_vect) { ticks = 1; }
int main(void) {
  TCCR0 = 1;
  TIMSK = _BV(TOIE0);
  sei();
  for (;;) {
  }
}
