// Dining philosophers, one of them left-handed, endlessly: the twin of philosophers.pml and philosophers.m.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 10
#endif

extern void __VERIFIER_assume(int);

unsigned char fork_taken[N], eating[N];
unsigned char ready, started; /* the twins in other languages start all processes at once */

static void __VERIFIER_atomic_start(void) {
  __VERIFIER_assume(ready == N - 1);
  started = 1;
}

static void __VERIFIER_atomic_take(unsigned char which) {
  __VERIFIER_assume(started && !fork_taken[which]);
  fork_taken[which] = 1;
}
static void __VERIFIER_atomic_eat(unsigned char me) {
  eating[me] = 1;
  assert(!eating[(me + 1) % N] && !eating[(me + N - 1) % N]);
}

static void *philosopher(void *argument) {
  unsigned char me = (unsigned char)(unsigned long)argument;
  unsigned char first = me == 0 ? (unsigned char)1 % N : me;
  unsigned char second = me == 0 ? 0 : (unsigned char)((me + 1) % N);
  if (me != 0) __atomic_add_fetch(&ready, 1, __ATOMIC_SEQ_CST);
  for (;;) {
    __VERIFIER_atomic_take(first);
    __VERIFIER_atomic_take(second);
    __VERIFIER_atomic_eat(me);
    eating[me] = 0;
    fork_taken[second] = 0;
    fork_taken[first] = 0;
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  for (unsigned long i = 1; i < N; i++) pthread_create(&thread, 0, philosopher, (void *)i);
  __VERIFIER_atomic_start();
  philosopher(0);
  return 0;
}
