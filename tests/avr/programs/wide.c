#include <stdint.h>
volatile uint64_t a = 0x0123456789abcdefULL, b = 0xfedcba9876543210ULL;
uint64_t r[8];
int main(void) {
  r[0] = a + b;
  r[1] = a - b;
  r[2] = a * b;
  r[3] = b / (a >> 40);
  r[4] = b % 1000000007u;
  r[5] = a << 13 | b >> 51;
  r[6] = (uint64_t)((int64_t)b >> 7);
  r[7] = a ^ b;
  return r[3] > r[4];
}
