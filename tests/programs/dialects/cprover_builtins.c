// expect: true
// property: unreach-call,valid-deref
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
int __CPROVER_uninterpreted_f(int, unsigned char c);
_Bool __CPROVER_uninterpreted_g(void);
int main(void) {
  short a[3];
  __CPROVER_array_set(a, 515);
  assert(a[0] == 515 && a[2] == 515);
  float f[2];
  __CPROVER_array_set(f, 1.5f);
  assert(f[1] == 1.5f);
  char text[5];
  text[4] = 0;
  assert(__CPROVER_buffer_size(text) == 5 && __CPROVER_is_zero_string(text));
  assert(__CPROVER_zero_string_length("abc") == 3);
  assert(__CPROVER_saturating_plus(INT_MAX, 1) == INT_MAX && __CPROVER_saturating_plus(INT_MIN, -1) == INT_MIN);
  assert(__CPROVER_saturating_minus(3u, 4u) == 0 && __CPROVER_saturating_plus(UINT_MAX, 4u) == UINT_MAX);
  assert(__CPROVER_saturating_minus(5, 7) == -2);
  double x = 0.0, y = -0.0;
  assert(__CPROVER_equal(x, x) && !__CPROVER_equal(x, y));
  int p, q;
  unsigned char c;
  int one = __CPROVER_uninterpreted_f(p, c), other = __CPROVER_uninterpreted_f(q, c);
  if (p == q) assert(one == other);
  assert(__CPROVER_uninterpreted_g() == __CPROVER_uninterpreted_g());
  int b[2] = {1, 2};
  assert(__CPROVER_exists { int i; (i >= 0 && i < 2) ==> b[i] == 7 });
  assert(!__CPROVER_exists { int i; i >= 0 && i < 2 && b[i] == 7 });
}
