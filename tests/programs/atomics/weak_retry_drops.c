// expect: false(unreach-call) line 12
// hard-for: dpr
#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

// Trying again with another value is not trying again.
int main(void) {
  int seen = 0, next = 1;
  while (!atomic_compare_exchange_weak(&x, &seen, next)) next = 7;
  assert(x == 1);
  return 0;
}
