#include <stdio.h>
int main(void) {
  float f = 0.1f, g = 3.0f;
  double d = 0.1, e = 3.0;
  printf("%.9g %.9g %.9g %.9g\n", f + g, f - g, f * g, f / g);
  printf("%.17g %.17g %.17g %.17g\n", d + e, d - e, d * e, d / e);
  printf("%d %u %ld %d\n", (int)-2.9, (unsigned)3.9f, (long)1e15, (int)(char)65.7);
  printf("%.9g %.9g %.17g\n", (float)16777217, (float)0.1, (double)0.1f);
  printf("%.17g %.17g %.9g\n", (double)18446744073709551615ull, (double)-9223372036854775807ll, (float)4294967295u);
  double sum = 0;
  for (int i = 1; i <= 100; i++) sum += 1.0 / i;
  printf("%.17g\n", sum);
  printf("%d %d %d %d\n", d == 0.1, f == 0.1, d < f, f != f);
  return 0;
}
