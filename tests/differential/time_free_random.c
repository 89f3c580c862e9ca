#include <stdint.h>
#include <stdio.h>
static uint64_t s[2] = {1, 2};
static uint64_t next(void) {
  uint64_t a = s[0], b = s[1];
  s[0] = b;
  a ^= a << 23;
  s[1] = a ^ b ^ a >> 17 ^ b >> 26;
  return s[1] + b;
}
int main(void) {
  unsigned histogram[8] = {0};
  for (int i = 0; i < 2000; i++) histogram[next() >> 61]++;
  for (int i = 0; i < 8; i++) printf("%u ", histogram[i]);
  printf("%llx\n", (unsigned long long)next());
  return 0;
}
