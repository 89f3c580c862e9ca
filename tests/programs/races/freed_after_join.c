// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
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
  pthread_join(t, 0);
  free(p);
  p = calloc(1, sizeof *p);
  pthread_create(&t, 0, run, p);
  pthread_join(t, 0);
  free(p);
  return 0;
}
