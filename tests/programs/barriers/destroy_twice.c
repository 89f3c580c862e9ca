// expect: false(lock-discipline) line 9
#include <pthread.h>

static pthread_barrier_t b;

int main(void) {
  pthread_barrier_init(&b, 0, 1);
  pthread_barrier_destroy(&b);
  pthread_barrier_destroy(&b);
  return 0;
}
