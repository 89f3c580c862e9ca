// expect: false(lock-discipline) line 6
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
int main(void) {
  pthread_cond_wait(&cond, &mutex);
  return 0;
}
