// Every power of ten with a few mantissas, halves between two doubles, the ends of the range: bits and ERANGE.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static uint64_t state = 88172645463325252u;
static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}
static uint64_t sum;
static void try(uint64_t mantissa, int power) {
  char text[40], *end;
  uint64_t bits;
  sprintf(text, "%llue%d", (unsigned long long)mantissa, power);
  errno = 0;
  double value = strtod(text, &end);
  memcpy(&bits, &value, sizeof bits);
  sum = sum * 31 + bits + (errno == ERANGE) + (uint64_t)(end - text);
  if (*end || power % 25 == 0) printf("%s %a %d\n", text, value, errno == ERANGE);
}
int main(void) {
  for (int power = -365; power <= 315; power++) {
    try(1, power);
    try(next() % 10000000000000000000u, power);
  }
  for (int i = 0; i < 200; i++) {
    const uint64_t a = next(), b = next(), c = next();
    try((a >> 10 | UINT64_C(1) << 53) | 1, (int)(b % 8) - 3);
    try(a >> (b % 60), -(int)(300 + c % 45));
  }
  const char *edges[] = {"4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072014e-308",
                         "2.2250738585072011e-308", "1.7976931348623157e308", "1.7976931348623159e308", "9007199254740993"};
  for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++) {
    errno = 0;
    double value = strtod(edges[i], 0);
    printf("%s %a %d\n", edges[i], value, errno);
  }
  printf("%llx\n", (unsigned long long)sum);
  return 0;
}
