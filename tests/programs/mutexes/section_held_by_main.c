// The mutex was locked before the threads began.
// expect: true
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
int x;
void *first(void *unused) {
  pthread_mutex_lock(&m);
  assert(x == 0);
  x = 2;
  x = 0;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_mutex_lock(&m);
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, first, 0);
  x = 1;
  x = 0;
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
