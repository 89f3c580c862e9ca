// expect: true
// proved-by: auto explicit
// A wait for a semaphore ends by what comes first: a post or the request.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static int got;
static void *run(void *unused) {
  sem_wait(&s);
  got = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  void *result;
  int left;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, run, 0);
  pthread_cancel(t);
  sem_post(&s);
  pthread_join(t, &result);
  sem_getvalue(&s, &left);
  assert(got ? result == 0 && left == 0 : result == PTHREAD_CANCELED && left <= 1);
  return 0;
}
