#include <stdint.h>
#include <stdlib.h>
volatile uint32_t big = 0xfedcba98;
volatile int32_t negative = -123456789;
volatile uint16_t small = 997;
volatile int8_t tiny = -7;
uint32_t sum;
int main(void) {
  for (uint16_t i = 1; i < 60; i++) {
    sum += big / (small + i) + big % (i * 31u);
    sum += (uint32_t)(negative / (int16_t)(i - 30 ? i - 30 : 1));
    sum += (uint32_t)(negative % (int8_t)(tiny - (int8_t)i));
    div_t d = div((int)(big >> i % 16), tiny);
    sum += (uint32_t)(d.quot * 3 + d.rem);
  }
  return (int)sum;
}
