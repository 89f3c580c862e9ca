// In idle mode the timer runs on.
// mcu: atmega328p
// timers: exact
// ask: AG(ticks == 0) => fails
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
volatile uint8_t ticks;
ISR(TIMER0_OVF_vect) { ticks = 1; }
int main(void) {
  TCCR0B = 5;
  TIMSK0 = 1;
  set_sleep_mode(SLEEP_MODE_IDLE);
  sei();
  for (;;) sleep_mode();
}
