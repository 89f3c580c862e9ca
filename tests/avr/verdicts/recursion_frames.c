// Unbounded recursion with frames is a stack overflow, not a write to reserved I/O.
// mcu: atmega328p
// ask: AG true => violation stack runs into data
#include <stdint.h>
volatile uint8_t deep;
__attribute__((noinline)) uint8_t down(uint8_t n) {
  volatile uint8_t local[40];
  uint8_t i;
  for (i = 0; i < sizeof local; ++i) local[i] = n;
  deep = n;
  return (uint8_t)(down((uint8_t)(n + 1)) + local[n % sizeof local]);
}
int main(void) {
  deep = down(0);
  for (;;) {
  }
}
