// expect: false(no-data-race)
// property: no-data-race
// An acquire fence orders what the loads before it saw, not those after it.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int f;
static int d, seen;
static void *a(void *p) {
  d = 1;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&f, 1, memory_order_relaxed);
  return p;
}
static void *b(void *p) {
  atomic_thread_fence(memory_order_acquire);
  if (atomic_load_explicit(&f, memory_order_relaxed)) seen = d;
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
