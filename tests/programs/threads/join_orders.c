// expect: false(unreach-call) line 13
// Without the join nothing says that the thread is done.
#include <assert.h>
#include <pthread.h>
static int done;
static void *run(void *argument) {
  done = 1;
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  assert(done);
  return 0;
}
