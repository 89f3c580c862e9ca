// expect: false(unreach-call) line 13
#include <assert.h>
#include <pthread.h>
static _Thread_local int mine;
static void *run(void *argument) {
  mine = 1;
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  assert(mine == 1);
  return 0;
}
