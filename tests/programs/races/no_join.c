// expect: false(no-data-race)
// property: no-data-race
// main does not join; its write is the last thing it does.
#include <pthread.h>
static int x;
static void *run(void *p) {
  x = 1;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  x = 2;
  return 0;
}
