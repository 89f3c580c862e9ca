// expect: false(no-data-race)
// property: no-data-race
// A compare-exchange that fails is a load with the order of failure.
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
  int e = 5;
  if (!atomic_compare_exchange_strong_explicit(&f, &e, 6, memory_order_acq_rel, memory_order_relaxed) && e == 1) seen = d;
  return p;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, a, 0);
  pthread_create(&t[1], 0, b, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}
