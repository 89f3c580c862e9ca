#include <stdio.h>
int main(void) {
  long long wide[] = {0, 1, -1, 127, 128, 255, 256, 32767, 32768, 65535, 2147483647, 2147483648LL, -2147483649LL, 0x123456789abcdefLL};
  for (unsigned i = 0; i < sizeof wide / sizeof *wide; i++) {
    long long w = wide[i];
    printf("%d %d %d %d %d %u %lld\n", (signed char)w, (unsigned char)w, (short)w, (unsigned short)w, (int)w, (unsigned)w, w >> 3);
  }
  unsigned char c = 200;
  signed char s = c;
  printf("%d %d %d %d\n", c + c, (unsigned char)(c + c), s, s >> 1);
  printf("%d %d\n", -1 < 1u, (short)-1 < (unsigned short)1);
  return 0;
}
