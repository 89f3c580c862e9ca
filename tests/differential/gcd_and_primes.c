#include <stdio.h>
static long gcd(long a, long b) { return b ? gcd(b, a % b) : a; }
static unsigned long power(unsigned long b, unsigned long e, unsigned long m) {
  unsigned long r = 1;
  for (b %= m; e; e >>= 1, b = b * b % m)
    if (e & 1) r = r * b % m;
  return r;
}
int main(void) {
  printf("%ld %ld %ld\n", gcd(48, 36), gcd(17, 5), gcd(1071, 462));
  printf("%lu %lu\n", power(3, 200, 1000007), power(2, 1000006, 1000007));
  for (int n = 90; n < 100; n++) {
    printf("%d =", n);
    for (int m = n, p = 2; m > 1; p++)
      for (; m % p == 0; m /= p) printf(" %d", p);
    printf("\n");
  }
  return 0;
}
