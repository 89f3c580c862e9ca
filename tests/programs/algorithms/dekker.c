// expect: true
#include <assert.h>
#include <pthread.h>
static volatile int wants[2], turn, inside;
static void enter(int me) {
  int other = 1 - me;
  wants[me] = 1;
  while (wants[other])
    if (turn != me) {
      wants[me] = 0;
      while (turn != me) {
      }
      wants[me] = 1;
    }
}
static void *run(void *argument) {
  int me = *(int *)argument;
  for (;;) {
    enter(me);
    inside++;
    assert(inside == 1);
    inside--;
    turn = 1 - me;
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
  return 0;
}
