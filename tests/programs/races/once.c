// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// Whoever comes second sees the end of the first.
#include <assert.h>
#include <pthread.h>
static int x, h, k; static pthread_once_t o = PTHREAD_ONCE_INIT; static void init(void) { x = 7; }
static void *a(void *p) {
  pthread_once(&o, init); h = x;
  return p;
}
static void *b(void *p) {
  pthread_once(&o, init); k = x;
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
