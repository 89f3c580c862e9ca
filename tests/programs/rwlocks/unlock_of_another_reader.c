// expect: false(lock-discipline) line 7
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void* other(void* unused) {
  pthread_rwlock_unlock(&l);
  return unused;
}

// Held for reading, but not by the thread that unlocks it.
int main(void) {
  pthread_rwlock_rdlock(&l);
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
  return 0;
}
