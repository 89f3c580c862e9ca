// A checksum bit by bit and by a table.
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);

#define N 4

static unsigned char by_bits(unsigned char crc, unsigned char byte) {
  crc ^= byte;
  for (int i = 0; i < 8; ++i) crc = crc & 0x80 ? (unsigned char)(crc << 1 ^ 0x31) : (unsigned char)(crc << 1);
  return crc;
}

int main(void) {
  unsigned char table[256];
  for (int i = 0; i < 256; ++i) table[i] = by_bits(0, (unsigned char)i);
  unsigned char a = 0, b = 0;
  for (int i = 0; i < N; ++i) {
    unsigned char byte = __VERIFIER_nondet_uchar();
    a = by_bits(a, byte);
    b = table[b ^ byte];
  }
  assert(a == b);
}
