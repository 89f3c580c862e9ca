// expect: false(lock-discipline) line 8
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_destroy(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
