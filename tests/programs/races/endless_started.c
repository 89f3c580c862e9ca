// expect: true
// time: 5
// property: no-data-race
// proved-by: explicit
// One thread after the other.
#include <pthread.h>
static int x;
static void *run(void *p) {
  x = !x;
  return p;
}
int main(void) {
  pthread_t t;
  for (;;) {
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    x = !x;
  }
}
