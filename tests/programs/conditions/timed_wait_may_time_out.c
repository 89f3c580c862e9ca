// expect: false(unreach-call) line 21
#include <assert.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;
static void *run(void *argument) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
  return argument;
}
int main(void) {
  pthread_t t;
  struct timespec until = {1, 0};
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&mutex);
  if (!ready) pthread_cond_timedwait(&cond, &mutex, &until);
  assert(ready);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, 0);
  return 0;
}
