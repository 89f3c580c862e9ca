#include <stdint.h>
#include <stdio.h>
#include <string.h>
static uint32_t table[256];
int main(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    table[i] = c;
  }
  const char *texts[] = {"", "a", "123456789", "The quick brown fox jumps over the lazy dog"};
  for (int i = 0; i < 4; i++) {
    uint32_t c = 0xffffffffu;
    for (size_t k = 0; k < strlen(texts[i]); k++) c = table[(c ^ (uint8_t)texts[i][k]) & 0xff] ^ c >> 8;
    printf("%08x\n", ~c);
  }
  return 0;
}
