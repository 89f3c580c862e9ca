// expect: false(unreach-call) line 12
// hard-for: dpr
#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

// The loop counts its rounds, so that failures leave a trace.
int main(void) {
  int seen = x, rounds = 0;
  while (!atomic_compare_exchange_weak(&x, &seen, seen + 1)) rounds++;
  assert(rounds < 2);
  return 0;
}
