// expect: true
// proved-by: auto explicit
// The owner of a robust mutex ends: the next one is told, and sets it right.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m, n;
static void *run(void *unused) {
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&n);
  return unused;
}
int main(void) {
  pthread_mutexattr_t a;
  int robust = -1;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  assert(pthread_mutexattr_getrobust(&a, &robust) == 0 && robust == PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &a);
  pthread_mutex_init(&n, &a);
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  assert(pthread_mutex_lock(&n) == 0);
  assert(pthread_mutex_unlock(&n) == 0);
  assert(pthread_mutex_trylock(&m) == EOWNERDEAD);
  assert(pthread_mutex_consistent(&m) == 0);
  assert(pthread_mutex_unlock(&m) == 0);
  assert(pthread_mutex_lock(&m) == 0);
  assert(pthread_mutex_unlock(&m) == 0);
  assert(pthread_mutex_unlock(&m) == EPERM);
  return 0;
}
