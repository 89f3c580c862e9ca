// expect: false(lock-discipline) line 8
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
  pthread_rwlock_destroy(&l);
  pthread_rwlock_destroy(&l);
  return 0;
}
