// expect: false(no-data-race)
// property: no-data-race
// A local of the first thread, handed over without an order.
#include <pthread.h>
#include <stdatomic.h>
static _Atomic(int *) box;
static int seen;
static void *a(void *p) {
  int mine = 3;
  atomic_store_explicit(&box, &mine, memory_order_relaxed);
  while (atomic_load(&box)) ;
  return p;
}
static void *b(void *p) {
  int *q = atomic_load_explicit(&box, memory_order_relaxed);
  if (q) seen = *q;
  atomic_store(&box, 0);
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
