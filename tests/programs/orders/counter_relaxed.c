// expect: true
// proved-by: explicit guided
// property: no-data-race
// Atomic accesses never race with each other.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int f;
static int d, seen;
static void *a(void *p) {
  atomic_fetch_add_explicit(&f, 1, memory_order_relaxed);
  return p;
}
static void *b(void *p) {
  atomic_store_explicit(&f, 1, memory_order_relaxed);
  return p;
}
static void *c(void *p) {
  (void)atomic_load_explicit(&f, memory_order_relaxed);
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
