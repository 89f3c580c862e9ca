/* reentrance: a 16-bit variable shared between the main program and an interrupt handler.
 *
 * On an 8-bit processor a 16-bit access takes two instructions, and the interrupt may come between them: the main
 * program then works with one old and one new byte, or loses the handler's update.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#define LIMIT 0x0104
#define START 0x00fd

volatile uint16_t count = START;
volatile uint8_t overrun;
uint16_t seen = START;
uint8_t torn;
uint8_t last_torn;

/* An event: counts up by one, and starts over at the limit. */
ISR(INT0_vect) {
  uint16_t next = count + 1;
  if (next >= LIMIT) {
    next = START;
    overrun = 1;
  }
  count = next;
}

/* The wheel has turned the other way. */
ISR(INT1_vect) {
  uint16_t now = count;
  if (now > START) count = now - 1;
}

static void setup(void) {
  DDRB = 0xff;
  MCUCR = _BV(ISC01) | _BV(ISC11);
  GICR = _BV(INT0) | _BV(INT1);
}

/* A bar of lights for the value seen: one light for every step of the range. */
static uint8_t bar(uint16_t value) {
  uint8_t lights = 0;
  for (uint16_t mark = START; mark < LIMIT; mark++) {
    lights <<= 1;
    if (value >= mark) lights |= 1;
  }
  return lights;
}

static uint8_t parity(uint16_t value) {
  uint8_t p = 0;
  while (value) {
    p ^= value & 1;
    value >>= 1;
  }
  return p;
}

static void remember(uint8_t lights) { last_torn = lights; }

/* The value can move by one at a time; a jump by a whole high byte was no movement. */
static void judge(uint16_t value) {
  uint16_t distance = value > seen ? value - seen : seen - value;
  if (distance >= 0x80 && distance <= 0x100) torn = 1;
  seen = value;
}

int main(void) {
  setup();
  for (;;) {
    uint16_t value;
    sei();
    value = count; /* not atomic: the point of this program */
    cli();
    judge(value);
    PORTB = bar(value) ^ parity(value);
    if (torn) {
      remember(PORTB);
      torn = 0;
    }
  }
}
