// Mutual exclusion without locks: Peterson's algorithm, forever.
//
//   whittle check --engine explicit examples/peterson.c
//
// The threads never end, yet there are only finitely many states, so this can be proved. Swap the two assignments at the
// begin of enter() and check again: now both threads get in.
//
// expect: true
#include <assert.h>
#include <pthread.h>

static volatile int wants[2], turn;
static volatile int inside;

static void enter(int me) {
  wants[me] = 1;
  turn = 1 - me;
  while (wants[1 - me] && turn == 1 - me) {
  }
}
static void leave(int me) { wants[me] = 0; }

static void *run(void *argument) {
  int me = *(int *)argument;
  for (;;) {
    enter(me);
    inside++;
    assert(inside == 1);
    inside--;
    leave(me);
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  int zero = 0, one = 1;
  pthread_create(&a, 0, run, &zero);
  pthread_create(&b, 0, run, &one);
  pthread_join(a, 0);
  return 0;
}
