// expect: true
// proved-by: auto explicit
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* carried(void* unused) {
  int seen = x;
  while (!atomic_compare_exchange_weak(&x, &seen, seen + 1)) {
  }
  return unused;
}

static void* looked_up(void* unused) {
  int seen;
  do {
    seen = atomic_load_explicit(&x, memory_order_relaxed);
  } while (!atomic_compare_exchange_weak_explicit(&x, &seen, seen + 1, memory_order_acq_rel, memory_order_relaxed));
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, carried, 0);
  pthread_create(&b, 0, looked_up, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
