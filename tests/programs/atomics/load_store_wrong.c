// expect: false(unreach-call) line 18
// Atomic loads and stores do not make an increment atomic.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int counter;
static void *run(void *argument) {
  int seen = atomic_load(&counter);
  atomic_store(&counter, seen + 1);
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2);
  return 0;
}
