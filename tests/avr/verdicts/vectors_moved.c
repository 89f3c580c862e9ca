// mcu: atmega328p
// ask: AG(ok <= 1) => unknown IVSEL
#include <avr/io.h>
volatile uint8_t ok;
int main(void) {
  MCUCR = _BV(IVCE);
  MCUCR = _BV(IVSEL);
  ok = 1;
  for (;;) {
  }
}
