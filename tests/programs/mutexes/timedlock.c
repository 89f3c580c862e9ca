// expect: true
// A timed lock gives up sooner or later, so nobody is blocked for good.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *argument) {
  struct timespec until = {0, 0};
  int error = pthread_mutex_timedlock(&mutex, &until);
  assert(error == ETIMEDOUT);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&mutex);
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  pthread_mutex_unlock(&mutex);
  return 0;
}
