// LPM after SPMEN reads the signature, not the program: nothing is known about it.
// mcu: atmega328p
// ask: AG(id == 0) => unknown SPMEN
#include <avr/boot.h>
#include <avr/io.h>
volatile uint8_t id;
int main(void) {
  id = boot_signature_byte_get(0) == 0x1e;
  for (;;) {
  }
}
