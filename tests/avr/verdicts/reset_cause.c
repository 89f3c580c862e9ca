// Why the chip was reset is not known, whether a formula names the register or not.
// mcu: atmega328p
// ask: EF(por) => holds
// ask: EF(por && MCUSR.WDRF <= 1) => holds
// ask: EF(por && MCUSR.PORF) => holds
// ask: AG(por -> MCUSR.PORF) => holds
// ask: AG(!por) => fails
#include <avr/io.h>
volatile uint8_t por;
int main(void) {
  if (MCUSR & _BV(PORF)) por = 1;
  for (;;) {
  }
}
