#include <stdio.h>
int main(void) {
  unsigned x = 0xdeadbeef;
  for (int i = 0; i < 32; i += 5) printf("%x %x %d %x\n", x << i, x >> i, (int)x >> i, (x << i) | (x >> ((32 - i) & 31)));
  printf("%x %x %x %x\n", x & 0xff00ff, x | 0xff, x ^ 0xffffffff, ~x);
  printf("%d %d %d %d\n", __builtin_popcount(x), __builtin_clz(x >> 7), __builtin_ctz(x << 9), __builtin_ffs(0x50));
  printf("%x %llx %d\n", __builtin_bswap32(x), (unsigned long long)__builtin_bswap64(0x0123456789abcdefull), __builtin_parity(x));
  unsigned long long reversed = 0;
  for (int i = 0; i < 64; i++) reversed = reversed << 1 | (0x123456789abcdefull >> i & 1);
  printf("%llx\n", reversed);
  return 0;
}
