// expect: false(unreach-call) line 9
#include <assert.h>

static int x;

int main(void) {
  int expected = 0;
  _Bool done = __atomic_compare_exchange_n(&x, &expected, 1, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
  assert(done);
  return 0;
}
