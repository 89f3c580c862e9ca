// expect: false(valid-deref) line 6
// The thread outlives the frame its argument lives in.
#include <pthread.h>
static pthread_t t;
static void *run(void *argument) {
  *(int *)argument = 1;
  return 0;
}
static void start(void) {
  int local = 0;
  pthread_create(&t, 0, run, &local);
}
int main(void) {
  start();
  pthread_join(t, 0);
  return 0;
}
