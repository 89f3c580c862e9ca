// expect: false(no-data-race)
// property: no-data-race
// volatile orders nothing, and is no atomic access.
#include <pthread.h>
#include <stdatomic.h>
static volatile int f;
static int d, seen;
static void *a(void *p) {
  d = 1;
  f = 1;
  return p;
}
static void *b(void *p) {
  if (f) seen = d;
  return p;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, a, 0);
  pthread_create(&t[1], 0, b, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}
