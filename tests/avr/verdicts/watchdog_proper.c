// The same with the timed sequence, interrupts disabled: the watchdog is off.
// mcu: atmega328p
// ask: AG(off -> !WDTCSR.WDE) => holds
// ask: EF(off) => holds
#include <avr/io.h>
#include <avr/wdt.h>
volatile uint8_t off;
int main(void) {
  MCUSR = 0;
  wdt_disable();
  off = 1;
  for (;;) {
  }
}
