// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// Copies of different objects.
#include <assert.h>
#include <pthread.h>
struct S { int a, b, c, d; }; static struct S f, g, h;
static void *a(void *p) {
  f = g;
  return p;
}
static void *b(void *p) {
  h.d = 1;
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
