#include <stdint.h>
#include <util/crc16.h>
uint16_t crc = 0xffff;
uint8_t message[100];
int main(void) {
  for (uint8_t i = 0; i < 100; i++) message[i] = i ^ (uint8_t)(i << 3);
  for (uint8_t i = 0; i < 100; i++) crc = _crc_ccitt_update(crc, message[i]);
  uint8_t c = 0;
  for (uint8_t i = 0; i < 100; i++) c = _crc_ibutton_update(c, message[i]);
  return (int)(crc + c);
}
