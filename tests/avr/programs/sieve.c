#include <stdint.h>
uint8_t composite[50];
int main(void) {
  int count = 0;
  for (uint16_t i = 2; i < 400; i++) {
    if (composite[i >> 3] & 1 << (i & 7)) continue;
    count++;
    for (uint16_t j = i * i; j < 400; j += i) composite[j >> 3] |= (uint8_t)(1 << (j & 7));
  }
  return count;
}
