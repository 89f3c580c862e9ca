// expect: false(no-data-race)
// property: no-data-race
// Sixteen bytes: the library form of atomic operations.
#include <pthread.h>
#include <stdatomic.h>
struct pair { long a, b; };
static _Atomic struct pair f;
static int d, seen;
static void *a(void *p) {
  d = 1;
  atomic_store_explicit(&f, ((struct pair){1, 1}), memory_order_relaxed);
  return p;
}
static void *b(void *p) {
  struct pair s = atomic_load_explicit(&f, memory_order_relaxed);
  if (s.a) seen = d;
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
