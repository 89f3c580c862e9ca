// expect: true
#include <assert.h>
#include <pthread.h>
static volatile int flag[2], inside;
static void enter(int me) {
  int other = 1 - me;
  flag[me] = 1;
  while (flag[other] >= 3) {
  }
  flag[me] = 3;
  if (flag[other] == 1) {
    flag[me] = 2;
    while (flag[other] != 4) {
    }
  }
  flag[me] = 4;
  if (me == 1)
    while (flag[other] >= 2) {
    }
}
static void leave(int me) {
  int other = 1 - me;
  if (me == 0)
    while (flag[other] == 2 || flag[other] == 3) {
    }
  flag[me] = 0;
}
static void *run(void *argument) {
  int me = *(int *)argument;
  enter(me);
  inside++;
  assert(inside == 1);
  inside--;
  leave(me);
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
