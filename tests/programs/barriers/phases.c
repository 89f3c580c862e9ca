// expect: true
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t barrier;
static int phase[2], serial;
static void step(int me) {
  phase[me] = 1;
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
  assert(phase[1 - me] >= 1);
  pthread_barrier_wait(&barrier);
  phase[me] = 2;
}
static void *run(void *argument) {
  step(1);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&t, 0, run, 0);
  step(0);
  pthread_join(t, 0);
  assert(serial == 1);
  pthread_barrier_destroy(&barrier);
  return 0;
}
