/* Reads a port of eight bits and looks at two of them. */
#include <avr/io.h>
#include <stdint.h>

uint8_t both, one, rounds;

int main(void) {
  DDRA = 0x00;
  for (;;) {
    uint8_t pins = PINA;
    rounds = (rounds + 1) & 7;
    both = one = 0;
    if (pins & 0x04) {
      if (pins & 0x10) both = 1;
      else one = 1;
    } else if (pins & 0x10) {
      one = 1;
    }
  }
}
