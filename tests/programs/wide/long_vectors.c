// expect: true
// proved-by: auto
// Vectors of 256 and 512 bits: elements by constant and by variable index, arithmetic, comparisons, shuffles, memory.
#include <assert.h>
typedef int v8 __attribute__((vector_size(32)));
typedef double d8 __attribute__((vector_size(64)));
extern int __VERIFIER_nondet_int(void);
static v8 stored[2];
int main(void) {
  v8 a = {1, 2, 3, 4, 5, 6, 7, 8};
  int x = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int();
  if (i < 0 || i >= 8 || x < -1000 || x > 1000) return 0;
  a[i] = x;
  v8 b = a + a;
  assert(b[i] == 2 * x);
  stored[1] = b;
  assert(((int *)stored)[8 + i] == 2 * x);
  v8 c = b > a;
  assert(c[i] == (x > 0 ? -1 : 0));
  v8 d = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  assert(d[1] == b[0] && d[6] == a[3]);
  d8 e = {0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5};
  e *= 2;
  assert(e[7] == 15.0);
  return 0;
}
