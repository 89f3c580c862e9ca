// expect: false(no-deadlock)
#include <pthread.h>
static pthread_barrier_t barrier;
static void *run(void *argument) {
  pthread_barrier_wait(&barrier);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&barrier, 0, 3);
  pthread_create(&t, 0, run, 0);
  pthread_barrier_wait(&barrier);
  pthread_join(t, 0);
  return 0;
}
