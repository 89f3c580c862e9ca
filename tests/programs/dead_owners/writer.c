// expect: false(lock-discipline) line 15
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void* leave(void* unused) {
  pthread_rwlock_wrlock(&l);
  return unused;
}

static void* find(void* unused) {
  assert(pthread_rwlock_tryrdlock(&l) == EBUSY);
  pthread_rwlock_unlock(&l);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, leave, 0);
  pthread_join(t, 0);
  pthread_create(&t, 0, find, 0);
  pthread_join(t, 0);
  return 0;
}
