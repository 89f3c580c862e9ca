// expect: true
// proved-by: explicit guided
#include <assert.h>
#include <pthread.h>
double g;
static void *thread_a(void *p) {
  g = 1.5;
  return p;
}
static void *thread_b(void *p) {
  double l = g;
  assert(l == 0 || l == 1.5);
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
