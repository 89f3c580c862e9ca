// expect: true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_flag flag = ATOMIC_FLAG_INIT;
static int shared;
static void *run(void *argument) {
  while (atomic_flag_test_and_set(&flag)) {
  }
  int seen = shared;
  shared = seen + 1;
  atomic_flag_clear(&flag);
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(shared == 2);
  return 0;
}
