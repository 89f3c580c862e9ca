#include <stdint.h>
#include <stdio.h>
typedef int32_t fixed;
static fixed mul(fixed a, fixed b) { return (fixed)(((int64_t)a * b) >> 16); }
static fixed divide(fixed a, fixed b) { return (fixed)(((int64_t)a * 65536) / b); }
int main(void) {
  fixed x = 2 * 65536, guess = 65536;
  for (int i = 0; i < 8; i++) {
    guess = (guess + divide(x, guess)) / 2;
    printf("%d.%05d\n", guess >> 16, (int)(((int64_t)(guess & 0xffff) * 100000) >> 16));
  }
  printf("%d %d\n", mul(guess, guess), mul(-guess, guess) >> 16);
  return 0;
}
