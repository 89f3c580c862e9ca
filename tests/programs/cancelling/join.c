// expect: true
// proved-by: auto explicit
// Who waits for the end of a thread can be cancelled; the thread itself goes on.
#include <assert.h>
#include <pthread.h>
static pthread_t endless;
static void *spin(void *unused) {
  for (;;) pthread_testcancel();
  return unused;
}
static void *join(void *unused) {
  pthread_join(endless, 0);
  return unused;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&endless, 0, spin, 0);
  pthread_create(&t, 0, join, 0);
  pthread_cancel(t);
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED);
  pthread_cancel(endless);
  pthread_join(endless, &result);
  assert(result == PTHREAD_CANCELED);
  return 0;
}
