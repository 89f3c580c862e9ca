// expect: false(no-data-race)
// property: no-data-race
// One thread gives the address of its own to the other.
#include <assert.h>
#include <pthread.h>
static _Thread_local int x; static int *p_; static pthread_barrier_t bar;
static void *a(void *p) {
  x = 1; p_ = &x; pthread_barrier_wait(&bar); x = 3; pthread_barrier_wait(&bar);
  return p;
}
static void *b(void *p) {
  pthread_barrier_wait(&bar); *p_ = 2; pthread_barrier_wait(&bar);
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
