// A device with 128 KiB of flash: tables beyond 64 KiB are read through RAMPZ.
// mcu: atmega1284p
// ask: AF(sum == 6) => holds
// ask: AG(sum <= 6) => holds
#include <avr/io.h>
#include <avr/pgmspace.h>
static const uint8_t table[] __attribute__((section(".progmemx.data"))) = {1, 2, 3};
volatile uint8_t sum;
int main(void) {
  uint8_t i, s = 0;
  for (i = 0; i < 3; ++i) s += pgm_read_byte_far(pgm_get_far_address(table) + i);
  sum = s;
  for (;;) {
  }
}
