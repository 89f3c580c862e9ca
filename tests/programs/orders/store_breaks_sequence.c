// expect: false(no-data-race)
// property: no-data-race
// A store of another thread ends the release sequence.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int f;
static int d, seen;
static void *a(void *p) {
  d = 1;
  atomic_store_explicit(&f, 1, memory_order_release);
  return p;
}
static void *b(void *p) {
  if (atomic_load_explicit(&f, memory_order_relaxed) == 1) atomic_store_explicit(&f, 2, memory_order_relaxed);
  return p;
}
static void *c(void *p) {
  if (atomic_load_explicit(&f, memory_order_acquire) == 2) seen = d;
  return p;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, a, 0);
  pthread_create(&t[1], 0, b, 0);
  pthread_create(&t[2], 0, c, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  pthread_join(t[2], 0);
  return 0;
}
