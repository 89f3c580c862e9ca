// expect: false(no-deadlock)
// property: no-deadlock
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m;
static void *w(void *p) {
  pthread_mutex_lock(&m);
  return p;
}
static void *v(void *p) {
  pthread_mutex_lock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &a);
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  pthread_create(&t, 0, v, 0);
  pthread_join(t, 0);
  return 0;
}
