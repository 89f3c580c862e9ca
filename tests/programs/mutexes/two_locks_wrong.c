// expect: false(unreach-call) line 20
// Each thread uses a lock of its own.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int counter;
static void *run(void *argument) {
  pthread_mutex_lock(argument);
  int seen = counter;
  counter = seen + 1;
  pthread_mutex_unlock(argument);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, &mutexes[0]);
  pthread_create(&b, 0, run, &mutexes[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2);
  return 0;
}
