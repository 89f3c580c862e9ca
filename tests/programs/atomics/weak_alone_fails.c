// expect: false(unreach-call)
#include <assert.h>
#include <stdatomic.h>
int main(void) {
  atomic_int x = 0;
  int e = 0;
  _Bool ok = atomic_compare_exchange_weak(&x, &e, 1);
  assert(ok);
  return 0;
}
