#include <stdint.h>
int16_t a[5][5], b[5][5];
int32_t c[5][5];
int main(void) {
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) a[i][j] = (int16_t)(i * 37 - j * 91), b[i][j] = (int16_t)(j * 53 - i * i * 7);
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) {
      int32_t s = 0;
      for (int k = 0; k < 5; k++) s += (int32_t)a[i][k] * b[k][j];
      c[i][j] = s;
    }
  return (int)c[4][4];
}
