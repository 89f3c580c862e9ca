// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// The flag is released and acquired, so the data behind it is ordered.
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int ready;
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
