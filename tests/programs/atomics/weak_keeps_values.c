// expect: true
// proved-by: auto explicit
#include <assert.h>
#include <stdatomic.h>

static atomic_int x = 4;

// A failure for no reason changes nothing.
int main(void) {
  int expected = 4;
  if (atomic_compare_exchange_weak(&x, &expected, 5))
    assert(x == 5 && expected == 4);
  else
    assert(x == 4 && expected == 4);
  expected = 9;
  assert(!atomic_compare_exchange_weak(&x, &expected, 1));
  assert(expected == x);
  expected = x;
  assert(atomic_compare_exchange_strong(&x, &expected, 1));
  return 0;
}
