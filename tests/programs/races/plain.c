// expect: false(no-data-race)
// property: no-data-race
#include <pthread.h>
static int shared;
static void *run(void *argument) {
  shared = 1;
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  int seen = shared;
  pthread_join(t, 0);
  return seen;
}
