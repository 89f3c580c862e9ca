// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// Start and join order everything, also from thread to thread.
#include <pthread.h>
static int x;
static void *run(void *p) {
  x++;
  return p;
}
static void *outer(void *p) {
  pthread_t t;
  x++;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  x++;
  return p;
}
int main(void) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, outer, 0);
  pthread_join(t, 0);
  x++;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return x;
}
