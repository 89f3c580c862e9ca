// expect: false(no-data-race)
// property: no-data-race
// The only shared access of each thread.
#include <assert.h>
#include <pthread.h>
static int x, h;
static void *a(void *p) {
  x = 2;
  return p;
}
static void *b(void *p) {
  h = x;
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
