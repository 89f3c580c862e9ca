// mcu: atmega328p
// only: abstract
// ask: AG true => holds
// ask: AG(pressed <= 1) => holds
// Eight keys, each with a counter of two bits, kept as columns of four bytes: every bit moves on its own.
#include <avr/interrupt.h>
#include <avr/io.h>

static volatile unsigned char state, press, pressed;

ISR(TIMER0_OVF_vect) {
  static unsigned char low, high;
  unsigned char changed = state ^ (unsigned char)~PIND;
  low = (unsigned char)~(low & changed);
  high = low ^ (high & changed);
  changed &= low & high;
  state ^= changed;
  press |= state & changed;
}

int main(void) {
  PORTD = 0xff;
  TCCR0B = 5;
  TIMSK0 = 1;
  sei();
  for (;;) {
    cli();
    unsigned char keys = press & 0x28;
    press ^= keys;
    sei();
    pressed = keys != 0;
  }
}
