// expect: false(valid-deref) line 9
// A name may have 16 characters with its end: PR_GET_NAME needs room for all of them.
#include <assert.h>
#include <pthread.h>
#include <sys/prctl.h>
static void *worker(void *argument) {
  char now[12];
  (void)argument;
  prctl(PR_GET_NAME, now);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  return pthread_join(t, 0);
}
