// expect: true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic unsigned value;
static void *run(void *argument) {
  unsigned seen = value;
  while (!atomic_compare_exchange_strong(&value, &seen, seen * 2 + 1)) {
  }
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(value == 3);
  return 0;
}
