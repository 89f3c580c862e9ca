// SS is an input: whoever pulls it low ends the master mode of SPI.
// mcu: atmega328p
// ask: AG(!lost) => fails
// ask: AG(early) => holds
// ask: EF(!SPCR.MSTR && SPCR.SPE) => holds
#include <avr/io.h>
volatile uint8_t lost, early = 1;
int main(void) {
  SPCR = _BV(MSTR);
  early = (SPCR & _BV(MSTR)) != 0;
  SPCR = _BV(MSTR) | _BV(SPE);
  for (;;) {
    if (!(SPCR & _BV(MSTR))) lost = 1;
  }
}
