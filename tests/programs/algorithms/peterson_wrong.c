// expect: false(unreach-call) line 17
// Turn is set before the wish is announced.
#include <assert.h>
#include <pthread.h>
static volatile int wants[2], turn, inside;
static void enter(int me) {
  turn = 1 - me;
  wants[me] = 1;
  while (wants[1 - me] && turn == 1 - me) {
  }
}
static void *run(void *argument) {
  int me = *(int *)argument;
  for (int i = 0; i < 2; i++) {
    enter(me);
    inside++;
    assert(inside == 1);
    inside--;
    wants[me] = 0;
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  int zero = 0, one = 1;
  pthread_create(&a, 0, run, &zero);
  pthread_create(&b, 0, run, &one);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
