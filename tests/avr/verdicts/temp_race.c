// The handler uses the same TEMP register: OCR1A in the main program gets the handler's upper byte.
// mcu: atmega328p
// ask: AG(set -> OCR1A == 0x1234) => fails
// ask: EF(set && OCR1A == 0x5634) => holds
// ask: AG(set -> OCR1A == 0x1234 || OCR1A == 0x5634) => holds
#include <avr/interrupt.h>
#include <avr/io.h>
volatile uint8_t set;
ISR(INT0_vect) { OCR1B = 0x5678; }
int main(void) {
  EIMSK = 1;
  sei();
  OCR1A = 0x1234;
  set = 1;
  for (;;) {
  }
}
