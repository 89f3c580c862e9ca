// expect: false(no-data-race)
// property: no-data-race
// When the thread has ended without being joined, the variable is reached by main alone, but not ordered.
#include <pthread.h>
static void *run(void *p) {
  *(int *)p = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  int x = 0;
  pthread_create(&t, 0, run, &x);
  pthread_detach(t);
  x = 2;
  return x;
}
