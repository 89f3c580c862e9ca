// expect: true
// proved-by: explicit guided dash merge dpr
#include <assert.h>
#include <stdatomic.h>
int main(void) {
  atomic_int x = 0;
  int e = 0;
  if (!atomic_compare_exchange_weak(&x, &e, 1)) assert(e == 0 && x == 0);
  return 0;
}
