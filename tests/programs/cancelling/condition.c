// expect: true
// proved-by: auto explicit
// A thread that is cancelled while it waits for a condition variable has the mutex when its handlers run.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int unlocked;
static void unlock(void *unused) {
  (void)unused;
  unlocked = pthread_mutex_unlock(&m) == 0;
}
static void *run(void *unused) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(unlock, 0);
  for (;;) pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(1);
  return unused;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, run, 0);
  pthread_cancel(t);
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED && unlocked);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
