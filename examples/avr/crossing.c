// Firmware of a pedestrian crossing, for an ATmega16. A button on PD2 raises interrupt 0; the main loop changes the
// lights when timer 0 overflows.
//
//   avr-gcc -mmcu=atmega16 -Os -gdwarf-4 examples/avr/crossing.c -o crossing.elf
//   whittle check crossing.elf --mcu atmega16 --ctl 'AG(!(cars == GREEN && walkers == GREEN))'
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

enum light { RED, YELLOW, GREEN };

volatile uint8_t request;
enum light cars = GREEN, walkers = RED;
static uint8_t wait;

ISR(INT0_vect) { request = 1; }

static void step(void) {
  if (wait > 0) {
    wait--;
  } else if (cars == GREEN && request) {
    cars = YELLOW;
    wait = 1;
  } else if (cars == YELLOW) {
    cars = RED;
    wait = 1;
  } else if (cars == RED && walkers == RED && request) {
    request = 0;
    walkers = GREEN;
    wait = 3;
  } else if (walkers == GREEN) {
    walkers = RED;
    wait = 1;
  } else {
    cars = GREEN;
    wait = 2;
  }
}

int main(void) {
  DDRB = 0x3f;
  MCUCR = _BV(ISC01);
  GICR = _BV(INT0);
  TCCR0 = _BV(CS02);
  sei();
  for (;;) {
    if (TIFR & _BV(TOV0)) {
      TIFR = _BV(TOV0);
      step();
      PORTB = (uint8_t)(1 << cars | 8 << walkers);
    }
  }
}
