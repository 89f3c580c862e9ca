// expect: true
#include <assert.h>
int main(void) {
  assert(__builtin_popcount(0xf0f0u) == 8);
  assert(__builtin_clz(1u) == 31);
  assert(__builtin_ctzll(1ull << 40) == 40);
  assert(__builtin_bswap32(0x01020304u) == 0x04030201u);
  assert(__builtin_parity(7u) == 1);
  int sum;
  assert(__builtin_add_overflow(2147483647, 1, &sum) && sum == -2147483647 - 1);
  assert(!__builtin_mul_overflow(1000, 1000, &sum) && sum == 1000000);
  assert(__builtin_expect(3, 3) == 3);
  return 0;
}
