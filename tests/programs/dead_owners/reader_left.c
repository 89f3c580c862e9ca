// expect: true
// proved-by: explicit guided
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
static void *w(void *p) {
  pthread_rwlock_rdlock(&r);
  return p;
}
static void *v(void *p) {
  assert(pthread_rwlock_trywrlock(&r) == EBUSY);
  assert(pthread_rwlock_tryrdlock(&r) == 0);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  pthread_create(&t, 0, v, 0);
  pthread_join(t, 0);
  return 0;
}
