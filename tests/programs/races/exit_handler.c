// expect: false(no-data-race)
// property: no-data-race
// A handler of exit beside a thread that is not joined.
#include <pthread.h>
#include <stdlib.h>
static int x;
static void handler(void) { x = 3; }
static void *run(void *unused) {
  x = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  atexit(handler);
  pthread_create(&t, 0, run, 0);
  return 0;
}
