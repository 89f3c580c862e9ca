// mcu: atmega328p
// ask: AG(!missed) => fails
// ask: AG(!late) => holds
#include <avr/io.h>
volatile uint8_t missed, late;
int main(void) {
  DDRB = 0xff;
  uint8_t now, later;
  __asm__ volatile("out %2, %3\n\tin %0, %4\n\tin %1, %4" : "=&r"(now), "=&r"(later)
                   : "I"(_SFR_IO_ADDR(PORTB)), "r"((uint8_t)0x55), "I"(_SFR_IO_ADDR(PINB)));
  if (now != 0x55) missed = 1;
  if (later != 0x55) late = 1;
  for (;;) {
  }
}
