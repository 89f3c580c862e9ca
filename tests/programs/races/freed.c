// expect: false(no-data-race)
// property: no-data-race
// One reads what the other one frees.
#include <pthread.h>
#include <stdlib.h>
static int h;
static void *run(void *p) {
  h = *(int *)p;
  return 0;
}
int main(void) {
  pthread_t t;
  int *p = calloc(1, sizeof *p);
  pthread_create(&t, 0, run, p);
  free(p);
  pthread_join(t, 0);
  return 0;
}
