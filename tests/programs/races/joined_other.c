// expect: false(no-data-race)
// property: no-data-race
// Joining one thread says nothing about the other.
#include <pthread.h>
static int x;
static void *run(void *p) {
  x = 1;
  return p;
}
static void *idle(void *p) { return p; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, run, 0);
  pthread_create(&t, 0, idle, 0);
  pthread_join(t, 0);
  x = 2;
  pthread_join(s, 0);
  return 0;
}
