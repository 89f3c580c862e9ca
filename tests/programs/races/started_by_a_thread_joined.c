// expect: true
// proved-by: explicit guided
// property: no-data-race
#include <pthread.h>
int x;
static void *c(void *p) {
  x = 1;
  return p;
}
static void *a(void *p) {
  pthread_t t;
  pthread_create(&t, 0, c, 0);
  pthread_join(t, 0);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, a, 0);
  pthread_join(t, 0);
  x = 2;
  return 0;
}
