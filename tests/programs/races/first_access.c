// expect: false(no-data-race)
// property: no-data-race
// The first access of one thread and the last one of the other: the lock in between orders them in one order only.
#include <assert.h>
#include <pthread.h>
static int x, y; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *a(void *p) {
  x = 1; pthread_mutex_lock(&m); y++; pthread_mutex_unlock(&m);
  return p;
}
static void *b(void *p) {
  pthread_mutex_lock(&m); y++; pthread_mutex_unlock(&m); x = 2;
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
