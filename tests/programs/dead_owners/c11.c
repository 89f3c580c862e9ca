// expect: true
// proved-by: auto explicit
#include <assert.h>
#include <threads.h>

static mtx_t m;

static int leave(void* unused) {
  (void)unused;
  return mtx_lock(&m);
}

static int find(void* unused) {
  (void)unused;
  assert(mtx_trylock(&m) == thrd_busy);
  return 0;
}

int main(void) {
  mtx_init(&m, mtx_plain | mtx_recursive);
  thrd_t t;
  thrd_create(&t, leave, 0);
  thrd_join(t, 0);
  thrd_create(&t, find, 0);
  thrd_join(t, 0);
  return 0;
}
