// expect: true
// proved-by: auto explicit
// It was unlocked without being set right: it can never be locked again.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m;
static void *run(void *unused) {
  pthread_mutex_lock(&m);
  pthread_exit(unused);
}
int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &a);
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  int first = pthread_mutex_lock(&m);  // before the thread, or after
  assert(first == 0 || first == EOWNERDEAD);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  assert(pthread_mutex_lock(&m) == (first == 0 ? EOWNERDEAD : ENOTRECOVERABLE));
  return 0;
}
