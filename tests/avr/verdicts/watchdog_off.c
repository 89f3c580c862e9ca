// Clearing WDE without the timed sequence leaves the watchdog running.
// mcu: atmega328p
// ask: EF(resets == 2) => holds
// ask: AG(WDTCSR.WDE) => fails
// ask: AG(off -> WDTCSR.WDE) => holds
#include <avr/io.h>
#include <avr/wdt.h>
volatile uint8_t off;
uint8_t resets __attribute__((section(".noinit")));
int main(void) {
  off = 0;
  if (MCUSR & _BV(WDRF)) {
    if (resets < 2) resets++;
  } else {
    resets = 0;
  }
  MCUSR = 0;
  WDTCSR = _BV(WDCE) | _BV(WDE);
  WDTCSR = _BV(WDE) | 7;
  WDTCSR = 0;
  off = 1;
  for (;;) {
  }
}
