#include <stdint.h>
uint16_t calls;
static uint16_t __attribute__((noinline)) ackermann(uint8_t m, uint8_t n) {
  calls++;
  if (m == 0) return n + 1u;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, (uint8_t)ackermann(m, n - 1));
}
int main(void) { return (int)ackermann(2, 5) + (int)calls; }
