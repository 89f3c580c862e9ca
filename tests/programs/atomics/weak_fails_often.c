// expect: false(unreach-call)
#include <assert.h>
#include <stdatomic.h>
int main(void) {
  atomic_int x = 0;
  int e = 0, n = 0;
  while (!atomic_compare_exchange_weak(&x, &e, 1) && n<3)n++;
  assert(n<3);
  return 0;
}
