// expect: false(unreach-call)
// The thread may get the semaphore before the request.
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
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, run, 0);
  sem_post(&s);
  pthread_cancel(t);
  pthread_join(t, 0);
  assert(!got);
  return 0;
}
