// Start-up code with a choice before main: formulas begin with main all the same.
// mcu: atmega328p
// ask: AG(level == 3 || level == 7) => holds
// ask: EF(level == 7) => holds
// ask: level == 3 => fails
#include <avr/io.h>
uint8_t level = 3;
void choose(void) __attribute__((naked, used, section(".init6")));
void choose(void) {
  if (MCUSR & _BV(BORF)) level = 7;
}
int main(void) {
  for (;;) {
  }
}
