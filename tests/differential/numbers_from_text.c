#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  const char *texts[] = {"0", "42", "-17", "+5", "  99 bottles", "0x1f", "010", "abc", "", "9223372036854775808", "-9223372036854775809", "1e3", ".5", "-1.25e-3", "infinity", "0x1.8p3"};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    char *end;
    errno = 0;
    long n = strtol(texts[i], &end, 0);
    printf("%ld %d '%s' ", n, errno, end);
    errno = 0;
    unsigned long u = strtoul(texts[i], &end, 16);
    printf("%lu %d '%s' ", u, errno, end);
    printf("%.17g '", strtod(texts[i], &end));
    printf("%s' %d\n", end, atoi(texts[i]) & 0xff);
  }
  double large = strtod("1e400", 0);
  printf("%g %g %d\n", atof("2.5"), large, errno == ERANGE);
  return 0;
}
