#include <stdio.h>
struct fraction { long n, d; };
static struct fraction make(long n, long d) {
  long a = n < 0 ? -n : n, b = d;
  while (b) {
    long t = a % b;
    a = b;
    b = t;
  }
  return (struct fraction){n / a, d / a};
}
static struct fraction add(struct fraction x, struct fraction y) { return make(x.n * y.d + y.n * x.d, x.d * y.d); }
int main(void) {
  struct fraction sum = {0, 1};
  for (long i = 1; i <= 15; i++) {
    sum = add(sum, (struct fraction){i % 2 ? 1 : -1, i});
    printf("%ld/%ld\n", sum.n, sum.d);
  }
  return 0;
}
