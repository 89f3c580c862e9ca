#include <stdint.h>
volatile uint8_t input[24] = {1, 5, 9, 2, 8, 3, 7, 4, 6, 0, 11, 10, 1, 1, 2, 3, 5, 8, 0, 9, 7, 6, 12, 200};
int main(void) {
  int r = 0;
  for (uint8_t i = 0; i < 24; i++) {
    switch (input[i]) {
      case 0: r += 100; break;
      case 1: r ^= 0x55; break;
      case 2: r -= 3; break;
      case 3: r = (r << 1) | (r >> 14 & 1); break;
      case 4: r = -r; break;
      case 5: r /= 3; break;
      case 6: r %= 1000; break;
      case 7: r *= 5; break;
      case 8: r = ~r; break;
      case 9: r |= 0x80; break;
      case 10: r &= 0x7ff; break;
      default: r++; break;
    }
  }
  return r;
}
