// expect: false(no-data-race)
// property: no-data-race
// The copy reads all members.
#include <assert.h>
#include <pthread.h>
struct S { int a, b, c, d; }; static struct S g; static int h;
static void *a(void *p) {
  struct S l = g; (void)l.d;  h = l.d;
  return p;
}
static void *b(void *p) {
  g.d = 1;
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
