// expect: true
// proved-by: explicit
// A thread gives itself a name by prctl, and asks for it.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
static void *worker(void *argument) {
  char name[16] = {0}, now[16];
  snprintf(name, sizeof name, "pool-%d", *(int *)argument);
  assert(prctl(PR_SET_NAME, name) == 0);
  assert(prctl(PR_GET_NAME, now) == 0 && now[15] == 0);
  return 0;
}
int main(void) {
  pthread_t t;
  int number = 3;
  pthread_create(&t, 0, worker, &number);
  return pthread_join(t, 0);
}
