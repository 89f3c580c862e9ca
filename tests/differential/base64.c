#include <stdio.h>
#include <string.h>
static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
int main(void) {
  const char *texts[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar"};
  for (int t = 0; t < 7; t++) {
    size_t n = strlen(texts[t]);
    for (size_t i = 0; i < n; i += 3) {
      unsigned v = 0;
      for (size_t k = 0; k < 3; k++) v = v << 8 | (i + k < n ? (unsigned char)texts[t][i + k] : 0u);
      for (int k = 3; k >= 0; k--) putchar((size_t)(3 - k) > n - i ? '=' : alphabet[v >> 6 * k & 63]);
    }
    putchar('\n');
  }
  return 0;
}
