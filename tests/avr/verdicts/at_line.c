// A line of the source as an atom.
// mcu: attiny84
// ask: EF(at(at_line.c:14)) => holds
// ask: AG(at(at_line.c:14) -> ready == 1) => holds
// ask: AG(!at(at_line.c:14)) => fails
// ask: AG(at(at_line.c:12) -> ready == 1) => fails
#include <avr/io.h>
volatile uint8_t ready, out;
__attribute__((noinline)) void act(void) { out ^= 2; }
int main(void) {
  for (;;) {
    if ((PINA & 1) == 0) continue;
    ready = 1;
    act();
    ready = 0;
  }
}
