#include <stdint.h>
volatile int8_t a[] = {-128, -1, 0, 1, 127, -100, 100, 64};
volatile int16_t b[] = {-32768, -1, 0, 1, 32767, 256, -256, 255};
int main(void) {
  int32_t r = 0;
  for (uint8_t i = 0; i < 8; i++)
    for (uint8_t j = 0; j < 8; j++) {
      if (a[i] < a[j]) r++;
      if (b[i] >= b[j]) r += 3;
      if (a[i] > b[j]) r -= 2;
      r += (int32_t)a[i] * b[j] + (a[i] >> 1) + (b[j] >> 3);
    }
  return (int)(r ^ r >> 16);
}
