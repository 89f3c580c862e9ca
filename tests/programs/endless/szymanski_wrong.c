// expect: false(unreach-call) line 38
// time: 4
// hard-for: test dpr
// The lower numbers are not waited for.
#include <assert.h>
#include <pthread.h>
#define N 3
static volatile unsigned char flag[N], inside;
static int __VERIFIER_atomic_all(int from, int to, int low, int high) {
  for (int i = from; i < to; i++)
    if (flag[i] < low || flag[i] > high) return 0;
  return 1;
}
static int __VERIFIER_atomic_any(int value) {
  for (int i = 0; i < N; i++)
    if (flag[i] == value) return 1;
  return 0;
}
static int __VERIFIER_atomic_settled(int from) {
  for (int i = from; i < N; i++)
    if (flag[i] == 2 || flag[i] == 3) return 0;
  return 1;
}
static void *run(void *argument) {
  int me = (int)(long)argument;
  for (;;) {
    flag[me] = 1; /* outside the waiting room */
    while (!__VERIFIER_atomic_all(0, N, 0, 2)) {
    }
    flag[me] = 3; /* in the doorway */
    if (__VERIFIER_atomic_any(1)) {
      flag[me] = 2; /* waits for the others to come in */
      while (!__VERIFIER_atomic_any(4)) {
      }
    }
    flag[me] = 4; /* the door is shut */
    inside++;
    assert(inside == 1);
    inside--;
    while (!__VERIFIER_atomic_settled(me + 1)) {
    }
    flag[me] = 0;
  }
  return 0;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, (void *)1L);
  pthread_create(&other, 0, run, (void *)2L);
  run((void *)0L);
  return 0;
}
