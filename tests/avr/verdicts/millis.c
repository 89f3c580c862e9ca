// mcu: atmega328p
// only: abstract
// ask: AG(led == 0 || led == 1) => holds
// ask: AG true => holds
// A tick counter of 32 bits, and a loop that looks at it, as Arduino's millis() has them: 2^64 states and more.
#include <avr/interrupt.h>
#include <avr/io.h>

static volatile unsigned long ticks;
static volatile unsigned char led;

ISR(TIMER0_OVF_vect) { ++ticks; }

static unsigned long now(void) {
  unsigned char flags = SREG;
  cli();
  unsigned long t = ticks;
  SREG = flags;
  return t;
}

int main(void) {
  TCCR0B = 3;
  TIMSK0 = 1;
  DDRB = 32;
  sei();
  unsigned long last = 0;
  for (;;) {
    if (now() - last < 1000) continue;
    last = now();
    led = !led;
    PORTB ^= 32;
  }
}
