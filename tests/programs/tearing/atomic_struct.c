// expect: true
// proved-by: explicit guided
#include <assert.h>
#include <pthread.h>
struct S {
  int a, b;
};
_Atomic struct S g;
struct S n = {1, 1};
static void *thread_a(void *p) {
  g = n;
  return p;
}
static void *thread_b(void *p) {
  struct S l = g;
  assert(l.a == l.b);
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
