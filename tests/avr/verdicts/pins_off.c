// A pin that changed has its interrupt although its mask was cleared before interrupts are allowed, unless the program
// clears the flag too.
// mcu: atmega328p
// ask: AG(stage != 1 -> count == 0) => holds
// ask: EF(count == 1) => holds
// ask: AG(count <= 1) => holds
// ask: EF(stage == 2) => holds
#include <avr/interrupt.h>
#include <avr/io.h>
volatile uint8_t stage, count;
ISR(PCINT0_vect) { count++; }
int main(void) {
  PCICR = _BV(PCIE0);
  PCMSK0 = 1;
  PCMSK0 = 0;
  PCIFR = _BV(PCIF0);
  sei();
  stage = 2;
  cli();
  PCMSK0 = 1;
  PCMSK0 = 0;
  stage = 1;
  sei();
  for (;;) {
  }
}
