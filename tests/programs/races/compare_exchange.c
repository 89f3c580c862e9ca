// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// A lock made of an atomic.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int l; static int x;
static void *a(void *p) {
  int e = 0; while (!atomic_compare_exchange_strong(&l, &e, 1)) e = 0; x++; atomic_store(&l, 0);
  return p;
}
static void *b(void *p) {
  int e = 0; if (atomic_compare_exchange_strong(&l, &e, 1)) { x++; atomic_store(&l, 0); }
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
