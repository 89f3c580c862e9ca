// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// The barrier lies between.
#include <assert.h>
#include <pthread.h>
static int x; static pthread_barrier_t bar;
static void *a(void *p) {
  x = 1; pthread_barrier_wait(&bar);
  return p;
}
static void *b(void *p) {
  pthread_barrier_wait(&bar); x = 2;
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_barrier_init(&bar, 0, 2);
  pthread_create(&s, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
