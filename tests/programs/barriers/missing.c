// expect: false(unreach-call) line 11
// The second barrier is gone: one thread may already be in the next round.
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t barrier;
static int value[2];
static void step(int me) {
  for (int round = 1; round <= 2; round++) {
    value[me] = round;
    pthread_barrier_wait(&barrier);
    assert(value[1 - me] == round);
  }
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
  return 0;
}
