#include <stdint.h>
#include <stdio.h>
static uint32_t rotate(uint32_t x, int n) { return x << n | x >> (32 - n); }
int main(void) {
  uint32_t a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t f = i & 1 ? (b & c) | (~b & d) : b ^ c ^ d;
    uint32_t t = d;
    d = c;
    c = b;
    b += rotate(a + f + i * 0x9e3779b9u, (int)(i % 31) + 1);
    a = t;
  }
  printf("%08x%08x%08x%08x\n", a, b, c, d);
  return (int)(a & 0x7f);
}
