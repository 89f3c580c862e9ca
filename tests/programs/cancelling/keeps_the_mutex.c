// expect: false(no-deadlock)
// No handler unlocks the mutex that the cancelled thread has.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *run(void *unused) {
  pthread_mutex_lock(&m);
  for (;;) pthread_cond_wait(&c, &m);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
