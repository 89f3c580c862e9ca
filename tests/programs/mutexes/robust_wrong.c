// expect: false(unreach-call)
// The lock tells that its owner ended.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m;
static void *run(void *unused) {
  pthread_mutex_lock(&m);
  return unused;
}
int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &a);
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  assert(pthread_mutex_lock(&m) == 0);
  return 0;
}
