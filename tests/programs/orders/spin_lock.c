// expect: true
// proved-by: explicit guided
// property: no-data-race
// A lock of an atomic_flag.
#include <pthread.h>
#include <stdatomic.h>
static atomic_flag lock = ATOMIC_FLAG_INIT;
static int d;
static void *a(void *p) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) ;
  d = d + 1;
  atomic_flag_clear_explicit(&lock, memory_order_release);
  return p;
}
static void *b(void *p) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) ;
  d = d + 1;
  atomic_flag_clear_explicit(&lock, memory_order_release);
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
