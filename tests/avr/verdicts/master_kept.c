// SS is an output: the master mode of SPI stays, and a zero ends it at once.
// mcu: atmega328p
// ask: AG(!lost) => holds
// ask: AG(ended -> !SPCR.MSTR) => holds
// ask: EF(ended) => holds
#include <avr/io.h>
volatile uint8_t lost, ended;
int main(void) {
  DDRB = _BV(2);
  SPCR = _BV(MSTR) | _BV(SPE);
  if (!(SPCR & _BV(MSTR))) lost = 1;
  SPCR |= _BV(CPOL);
  if (!(SPCR & _BV(MSTR))) lost = 1;
  SPCR = _BV(SPE);
  if (SPCR & _BV(MSTR)) lost = 1;
  ended = 1;
  for (;;) {
  }
}
