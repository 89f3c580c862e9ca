// expect: true
// time: 5
// property: no-data-race
// Endless loops have finitely many states.
// proved-by: explicit
#include <pthread.h>
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *p) {
  for (;;) {
    pthread_mutex_lock(&m);
    x = !x;
    pthread_mutex_unlock(&m);
  }
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  run(0);
}
