// expect: false(unreach-call) line 7
// pthread_exit in main leaves the other threads running.
#include <assert.h>
#include <pthread.h>
static int x;
static void *run(void *argument) {
  assert(x == 0);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  x = 1;
  pthread_exit(0);
}
