// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// Every thread has its own.
#include <assert.h>
#include <pthread.h>
static _Thread_local int x;
static void *a(void *p) {
  x = 1;
  return p;
}
static void *b(void *p) {
  x = 2;
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
