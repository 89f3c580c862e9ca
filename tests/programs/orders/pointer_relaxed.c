// expect: false(no-data-race)
// property: no-data-race
// What was written before another thread could reach the object is not ordered either.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) box;
static int seen;
static void *a(void *p) {
  int *q = malloc(sizeof *q);
  *q = 1;
  atomic_store_explicit(&box, q, memory_order_relaxed);
  return p;
}
static void *b(void *p) {
  int *q = atomic_load_explicit(&box, memory_order_relaxed);
  if (q) seen = *q;
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
