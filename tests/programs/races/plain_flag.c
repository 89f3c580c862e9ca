// expect: false(no-data-race)
// property: no-data-race
#include <pthread.h>
static int data;
static volatile int ready;
static void *run(void *argument) {
  data = 1;
  ready = 1;
  return argument;
}
int main(void) {
  pthread_t t;
  int seen = 0;
  pthread_create(&t, 0, run, 0);
  if (ready) seen = data;
  pthread_join(t, 0);
  return seen;
}
