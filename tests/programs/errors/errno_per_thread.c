// expect: true
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static void *run(void *argument) {
  errno = 7;
  return argument;
}
int main(void) {
  pthread_t t;
  errno = 3;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  assert(errno == 3);
  return 0;
}
