// expect: false(lock-discipline) line 7
#include <pthread.h>

static pthread_barrier_t b;

int main(void) {
  pthread_barrier_wait(&b);
  return 0;
}
