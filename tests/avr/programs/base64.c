#include <stdint.h>
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
uint8_t in[48];
char out[65];
int main(void) {
  for (uint8_t i = 0; i < 48; i++) in[i] = (uint8_t)(i * i + 5);
  char *o = out;
  for (uint8_t i = 0; i < 48; i += 3) {
    uint32_t w = (uint32_t)in[i] << 16 | (uint16_t)in[i + 1] << 8 | in[i + 2];
    for (int8_t s = 18; s >= 0; s -= 6) *o++ = digits[w >> s & 63];
  }
  return out[63];
}
