// expect: true
// proved-by: auto explicit
// A request for a thread that has ended changes nothing, not even for the next one.
#include <assert.h>
#include <pthread.h>
static int done;
static void *quick(void *unused) { return unused; }
static void *run(void *unused) {
  pthread_testcancel();
  done = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, quick, &done);
  assert(pthread_cancel(t) == 0);
  pthread_join(t, &result);
  assert(result == &done);  // it has no cancellation point
  pthread_create(&t, 0, run, 0);
  pthread_join(t, &result);
  assert(result == 0 && done);
  return 0;
}
