#include <string.h>
char from[200], to[200];
int main(void) {
  for (int i = 0; i < 200; i++) from[i] = (char)(i * 7 + 3);
  for (int n = 0; n < 20; n++) {
    memcpy(to + n, from + 2 * n, 150 - n);
    memmove(to + 3, to, 100);
    memset(to + 180, n, 10);
  }
  return memcmp(to, from, 200);
}
