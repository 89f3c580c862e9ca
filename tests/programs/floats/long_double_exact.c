// What a double holds is followed.
// expect: true
// proved-by: explicit
#include <assert.h>
#include <math.h>

struct pair {
  long double a, b;
};
static struct pair swap(struct pair p) { return (struct pair){p.b, p.a}; }
static long double half(long double x) { return x / 2; }
int main(void) {
  long double x = 3, y = 0.75L, whole, rest;
  assert(x * y == 2.25L && x / y == 4 && x - y == 2.25L && -x < y && half(x) == 1.5L);
  assert((int)(x + 0.9999L * 0 + 0.5L) == 3 && (float)y == 0.75f && (double)x == 3.0);
  rest = modfl(-3.25L, &whole);
  assert(whole == -3 && rest == -0.25L && floorl(-3.25L) == -4 && fmodl(7.5L, 2) == 1.5L && sqrtl(6.25L) == 2.5L);
  struct pair p = swap((struct pair){1, 2});
  assert(p.a == 2 && p.b == 1);
  long double zero = 0;
  assert(zero * x == 0 && isinf(x / zero) && isnan(zero / zero) && !signbit(x));
  return 0;
}
