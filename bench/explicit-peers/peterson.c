// Peterson's filter lock for N processes, endlessly. The same algorithm, step for step, as peterson.pml and peterson.m.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 4
#endif

extern void __VERIFIER_assume(int);

unsigned char flag[N], turn[N], critical;
unsigned char ready, started; /* the twins in other languages start all processes at once */

static void __VERIFIER_atomic_wait(unsigned char me, unsigned char level, unsigned char other) {
  __VERIFIER_assume(flag[other] < level || turn[level] != me);
}

static void __VERIFIER_atomic_announce(unsigned char me, unsigned char level) {
  __VERIFIER_assume(started);
  flag[me] = level;
}

static void __VERIFIER_atomic_start(void) {
  __VERIFIER_assume(ready == N - 1);
  started = 1;
}

static void *user(void *argument) {
  unsigned char me = (unsigned char)(unsigned long)argument;
  if (me != 0) __atomic_add_fetch(&ready, 1, __ATOMIC_SEQ_CST);
  for (;;) {
    for (unsigned char level = 1; level < N; level++) {
      __VERIFIER_atomic_announce(me, level);
      turn[level] = me;
      for (unsigned char other = 0; other < N; other++)
        if (other != me) __VERIFIER_atomic_wait(me, level, other);
    }
    unsigned char inside = __atomic_add_fetch(&critical, 1, __ATOMIC_SEQ_CST);
    assert(inside == 1);
    __atomic_sub_fetch(&critical, 1, __ATOMIC_SEQ_CST);
    flag[me] = 0;
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  for (unsigned long i = 1; i < N; i++) pthread_create(&thread, 0, user, (void *)i);
  __VERIFIER_atomic_start();
  user(0);
  return 0;
}
