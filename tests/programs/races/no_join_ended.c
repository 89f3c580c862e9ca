// expect: false(no-data-race)
// property: no-data-race
// The thread may have ended before main writes, but nothing orders the two. No thread but main is left then.
#include <pthread.h>
#include <sched.h>
static int x;
static void *run(void *p) {
  x = 1;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  for (int i = 0; i < 3; i++) sched_yield();
  x = 2;
  return 0;
}
