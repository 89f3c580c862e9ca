#include <avr/pgmspace.h>
#include <string.h>
#include <stdint.h>
const uint16_t table[16] PROGMEM = {1, 2, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 65535};
const char words[] PROGMEM = "flash strings are read by lpm";
char copy[40];
int main(void) {
  uint16_t sum = 0;
  for (uint8_t i = 0; i < 16; i++) sum += pgm_read_word(&table[i]);
  strcpy_P(copy, words);
  return (int)(sum + strlen(copy));
}
