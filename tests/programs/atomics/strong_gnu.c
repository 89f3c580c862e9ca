// expect: true
// proved-by: explicit guided dash merge dpr
#include <assert.h>
int main(void) {
  int x = 0, e = 0;
  _Bool ok = __atomic_compare_exchange_n(&x, &e, 1, 0, 5, 5);
  assert(ok);
  return 0;
}
