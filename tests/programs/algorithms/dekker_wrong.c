// expect: false(unreach-call) line 18
// After waiting for its turn the thread forgets to look again.
#include <assert.h>
#include <pthread.h>
static volatile int wants[2], turn, inside;
static void enter(int me) {
  int other = 1 - me;
  if (wants[other]) {
    while (turn != me) {
    }
  }
  wants[me] = 1;
}
static void *run(void *argument) {
  int me = *(int *)argument;
  enter(me);
  inside++;
  assert(inside == 1);
  inside--;
  turn = 1 - me;
  wants[me] = 0;
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
