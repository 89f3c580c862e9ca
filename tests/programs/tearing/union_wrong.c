// expect: false(unreach-call)
#include <assert.h>
#include <pthread.h>
union U {
  char c[12];
  int i[3];
} g, n = {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};
static void *thread_a(void *p) {
  g = n;
  return p;
}
static void *thread_b(void *p) {
  int x = g.i[0], y = g.i[2];
  assert(!(x != 0 && y == 0));
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
