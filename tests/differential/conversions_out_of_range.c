// Values that the integer type does not hold: C leaves the result open, and compilers for x86 agree on it.
#include <stdio.h>
static volatile double values[] = {-4.0625, -0.75, -1, 0, 0.99, 3, 127.5, 128, 255.9, 256, 300.5, -129, 32768, 65536.5, 70000, -70000, 2147483647.5, 2147483648.0,
                                   -2147483649.0, 4294967295.5, 4294967296.0, 1e15, 9.3e18, -9.3e18, 1.5e19, 1.9e19, 1e30, -1e30, 1e300};
static void show(double d) {
  volatile float f = (float)d;
  printf("%g: %d %u %ld %lu\n", d == d ? d : 0, (int)d, (unsigned)d, (long)d, (unsigned long)d);
  printf(" %d %d %d %d %d\n", (signed char)d, (unsigned char)d, (short)d, (unsigned short)d, (_Bool)d);
  printf(" %d %u %ld %lu\n", (int)f, (unsigned)f, (long)f, (unsigned long)f);
  printf(" %d %d %d %d\n", (signed char)f, (unsigned char)f, (short)f, (unsigned short)f);
}
int main(void) {
  for (unsigned i = 0; i < sizeof values / sizeof *values; ++i) show(values[i]);
  volatile double zero = 0;
  show(zero / zero);
  show(1 / zero);
  show(-1 / zero);
  return 0;
}
