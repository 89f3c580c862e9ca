// expect: false(no-data-race)
// property: no-data-race
// A sequence lock over plain data: the reader throws away what it read in between, and yet it raced.
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint sequence;
static int x, y;
static void *writer(void *p) {
  atomic_fetch_add_explicit(&sequence, 1, memory_order_acq_rel);
  x = 1;
  y = 1;
  atomic_fetch_add_explicit(&sequence, 1, memory_order_release);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
  int a = x, b = y;
  unsigned after = atomic_load_explicit(&sequence, memory_order_acquire);
  int used = before == after && before % 2 == 0 ? a + b : 0;
  pthread_join(t, 0);
  return used & 0;
}
