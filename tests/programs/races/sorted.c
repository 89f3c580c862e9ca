// expect: false(no-data-race)
// property: no-data-race
#include <pthread.h>
#include <stdlib.h>
int v[2] = {2, 1};
static int c(const void *x, const void *y) {
  return *(int *)x-*(int *)y;
}
static void *thread_a(void *p) {
  v[0] = 1;
  return p;
}
static void *thread_b(void *p) {
  qsort(v, 2, 4, c);
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, thread_a, 0);
  pthread_create(&t, 0, thread_b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
