#include <stdint.h>
#include <stdio.h>
static int encode(uint32_t c, unsigned char *to) {
  if (c < 0x80) return to[0] = (unsigned char)c, 1;
  int n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (int i = n - 1; i > 0; i--, c >>= 6) to[i] = 0x80 | (c & 0x3f);
  to[0] = (unsigned char)(0xf00 >> n | c);
  return n;
}
int main(void) {
  uint32_t points[] = {0x41, 0xe9, 0x20ac, 0x1f600};
  for (int i = 0; i < 4; i++) {
    unsigned char b[4];
    int n = encode(points[i], b);
    for (int k = 0; k < n; k++) printf("%02x ", b[k]);
    printf("\n");
  }
  return 0;
}
