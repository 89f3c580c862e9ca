#include <float.h>
#include <math.h>
#include <stdio.h>
int main(void) {
  double values[] = {0, -0.0, 1, 0.1, 1.5, 2.5, 123456789.987654321, 1e-7, 1e21, -3.75e-300, DBL_MAX, DBL_MIN, 5e-324, 0.5, 999999.25};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    double v = values[i];
    printf("%f|%.0f|%.3f|%e|%.2E|%g|%.10g|%G|%a\n", v, v, v, v, v, v, v, v, v);
    printf("%12.2f|%-12.2f|%+.1f|%012.3f|% g|%#g|%#.0f\n", v < 1e20 ? v : 1, v < 1e20 ? v : 2, v < 1e20 ? v : 3, v < 1e20 ? v : 4, v, v, v < 1e20 ? v : 5);
  }
  printf("%f %F %e %g %5.1f|%-6f|%06f\n", INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY, INFINITY, INFINITY);
  printf("%.40f\n%.17g\n%.60e\n", 0.1, 0.1, 1.0 / 3);
  return 0;
}
