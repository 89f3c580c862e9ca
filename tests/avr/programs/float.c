#include <math.h>
volatile float x = 0.5f;
float results[16];
int main(void) {
  for (int i = 0; i < 16; i++) {
    x = x * 1.25f - 0.125f * (float)i;
    results[i] = sinf(x) + sqrtf(fabsf(x)) / (1.5f + (float)i) + expf(-fabsf(x)) + (float)(long)(x * 100.0f);
  }
  return results[3] > results[4];
}
