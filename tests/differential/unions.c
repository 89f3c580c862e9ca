#include <stdint.h>
#include <stdio.h>
#include <string.h>
union u { uint64_t q; uint32_t w[2]; uint8_t b[8]; double d; };
int main(void) {
  union u u = {.d = -2.5};
  printf("%llx %x %x\n", (unsigned long long)u.q, u.w[0], u.w[1]);
  for (int i = 0; i < 8; i++) u.b[i] = (uint8_t)(i * 17);
  printf("%llx\n", (unsigned long long)u.q);
  float f = 3.14f;
  uint32_t bits;
  memcpy(&bits, &f, 4);
  printf("%x\n", bits);
  return 0;
}
