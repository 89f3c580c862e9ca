// A lock that is tried, not waited for, tells that another thread is in its critical section.
// expect: false(unreach-call)
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
int x;
void *first(void *unused) {
  pthread_mutex_lock(&m);
  x = 1;
  x = 0;
  pthread_mutex_unlock(&m);
  return 0;
}
int busy;
void *second(void *unused) {
  if (pthread_mutex_trylock(&m) != 0)
    busy = 1;
  else
    pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!busy);
  return 0;
}
