/* More flash than an ATmega16 has. */
#include <avr/pgmspace.h>
const char ballast[20000] PROGMEM = {1};
volatile char c;
int main(void) { c = pgm_read_byte(&ballast[19999]); }
