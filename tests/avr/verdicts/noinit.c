// A variable that start-up code leaves alone holds any value, whether a formula names it or not.
// mcu: atmega328p
// ask: AG(mode <= 3) => fails
// ask: EF(out == 1) => holds
// ask: EF(out == 1 && mode > 3) => holds
// ask: AG(out == 1 -> mode > 3) => holds
// ask: mode == 0 => fails
// ask: AG(out <= 1) => holds
#include <stdint.h>
int mode __attribute__((section(".noinit")));
volatile uint8_t out;
int main(void) {
  if (mode > 3) out = 1;
  for (;;) {
  }
}
