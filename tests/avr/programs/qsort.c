#include <stdint.h>
#include <stdlib.h>
int16_t data[60];
static int order(const void *a, const void *b) {
  int16_t x = *(const int16_t *)a, y = *(const int16_t *)b;
  return x < y ? -1 : x > y;
}
int main(void) {
  uint16_t seed = 1;
  for (int i = 0; i < 60; i++) data[i] = (int16_t)(seed = seed * 25173u + 13849u);
  qsort(data, 60, sizeof data[0], order);
  for (int i = 1; i < 60; i++)
    if (data[i - 1] > data[i]) return 1;
  return 0;
}
