// expect: false(no-data-race)
// property: no-data-race
#include <pthread.h>
static int x;
static void *run(void *p) {
  x = 1;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_detach(t);
  int seen = x;
  pthread_exit((void *)(long)seen);
}
