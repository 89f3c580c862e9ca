// expect: false(no-data-race)
// property: no-data-race
// The thread in the middle did not acquire what it would have to hand on.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int f, g;
static int d, seen;
static void *a(void *p) {
  d = 1;
  atomic_store_explicit(&f, 1, memory_order_release);
  return p;
}
static void *b(void *p) {
  if (atomic_load_explicit(&f, memory_order_relaxed)) atomic_store_explicit(&g, 1, memory_order_release);
  return p;
}
static void *c(void *p) {
  if (atomic_load_explicit(&g, memory_order_acquire)) seen = d;
  return p;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, a, 0);
  pthread_create(&t[1], 0, b, 0);
  pthread_create(&t[2], 0, c, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
