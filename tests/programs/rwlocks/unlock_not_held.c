// expect: false(lock-discipline) line 5
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
  pthread_rwlock_unlock(&lock);
  return 0;
}
