#include <stdint.h>
typedef int16_t (*operation)(int16_t, int16_t);
static int16_t add(int16_t a, int16_t b) { return a + b; }
static int16_t subtract(int16_t a, int16_t b) { return a - b; }
static int16_t multiply(int16_t a, int16_t b) { return (int16_t)(a * b); }
static int16_t shift(int16_t a, int16_t b) { return (int16_t)(a >> (b & 7)); }
operation table[] = {add, subtract, multiply, shift};
volatile uint8_t program[] = {0, 2, 1, 3, 2, 2, 0, 3, 1, 2};
int main(void) {
  int16_t x = 17;
  for (uint8_t i = 0; i < sizeof program; i++) x = table[program[i]](x, (int16_t)(i * 3 + 1));
  return x;
}
