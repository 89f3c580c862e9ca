// expect: true
// proved-by: explicit guided
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>
static mtx_t q;
static void *w(void *p) {
  mtx_lock(&q);
  return p;
}
static void *v(void *p) {
  assert(mtx_trylock(&q) == thrd_busy);
  return p;
}
int main(void) {
  pthread_t t;
  mtx_init(&q, mtx_recursive|mtx_plain);
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  pthread_create(&t, 0, v, 0);
  pthread_join(t, 0);
  return 0;
}
