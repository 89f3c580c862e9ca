// expect: true
// proved-by: auto explicit
// While cancelling is disabled a request waits; it is followed at the first cancellation point after that.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static int steps;
static void *run(void *unused) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
  pthread_cancel(pthread_self());
  pthread_testcancel();
  usleep(1);
  steps = 1;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
  steps = 2;
  sleep(1);
  steps = 3;
  return unused;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED && steps == 2);
  return 0;
}
