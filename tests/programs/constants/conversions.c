// expect: true
// property: no-overflow,no-bad-shift,no-div-by-zero
#include <limits.h>
int main(void) {
  unsigned u = UINT_MAX + 1u;
  int i = (int)3000000000u;
  char c = (char)(200 + 100);
  unsigned char d = 255;
  d++;
  short s = SHRT_MAX;
  s++;
  s += 40000;
  return (int)(u + 1u * 5 - 7) / 2 + (i > c) + d + s + (0 - 1u > 0);
}
