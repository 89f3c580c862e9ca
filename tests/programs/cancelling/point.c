// expect: true
// proved-by: auto explicit
// A request is followed at the next cancellation point; handlers run, and the join tells.
#include <assert.h>
#include <pthread.h>
static int cleaned;
static void clean(void *unused) { (void)unused, cleaned = 1; }
static void *run(void *unused) {
  pthread_cleanup_push(clean, 0);
  for (;;) pthread_testcancel();
  pthread_cleanup_pop(0);
  return unused;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, run, 0);
  assert(pthread_cancel(t) == 0);
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED && cleaned);
  return 0;
}
