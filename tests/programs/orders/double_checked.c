// expect: true
// proved-by: explicit guided
// property: no-data-race
// Double-checked locking as it should be: the load under the lock needs no order.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) instance;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int seen[2];
static int *get(void) {
  int *p = atomic_load_explicit(&instance, memory_order_acquire);
  if (!p) {
    pthread_mutex_lock(&m);
    p = atomic_load_explicit(&instance, memory_order_relaxed);
    if (!p) {
      p = malloc(sizeof *p);
      *p = 7;
      atomic_store_explicit(&instance, p, memory_order_release);
    }
    pthread_mutex_unlock(&m);
  }
  return p;
}
static void *a(void *p) {
  seen[0] = *get();
  return p;
}
static void *b(void *p) {
  seen[1] = *get();
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
