// expect: false(no-data-race)
// property: no-data-race
// One thread moves what the other writes.
#include <pthread.h>
#include <stdlib.h>
static char *p;
static void *move(void *unused) {
  char *q = realloc(p, 20);
  q[1] = 2;
  return unused;
}
static void *run(void *unused) {
  p[0] = 1;
  return unused;
}
int main(void) {
  pthread_t a, b;
  p = malloc(10);
  pthread_create(&a, 0, move, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
