// expect: true
#include <assert.h>
#include <pthread.h>
static _Thread_local int mine = 5;
static void *run(void *argument) {
  mine += *(int *)argument;
  assert(mine == 6 || mine == 7);
  return &mine == argument ? argument : 0;
}
int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, 0, run, &one);
  pthread_create(&b, 0, run, &two);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(mine == 5);
  return 0;
}
