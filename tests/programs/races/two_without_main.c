// expect: false(no-data-race)
// property: no-data-race
// main ends first; the others go on.
#include <pthread.h>
static int x;
static void *run(void *p) {
  x = 1;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_create(&t, 0, run, 0);
  pthread_exit(0);
}
