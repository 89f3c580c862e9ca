#include <stdint.h>
struct flags { uint8_t low : 3; int8_t mid : 4; uint16_t wide : 9; uint8_t one : 1; } f[8];
int main(void) {
  int sum = 0;
  for (int i = 0; i < 8; i++) {
    f[i].low = (uint8_t)i & 7;
    f[i].mid = (int8_t)((i - 4) & 7);
    f[i].wide = (uint16_t)(i * 61) & 0x1ff;
    f[i].one = i & 1;
  }
  for (int i = 0; i < 8; i++) sum += f[i].low * f[i].mid + f[i].wide - f[i].one;
  return sum;
}
