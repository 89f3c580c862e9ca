// expect: false(no-data-race)
// property: no-data-race
#include <pthread.h>
int x, w[2];
static void *thread_a(void *p) {
  x = 1;
  return p;
}
static void *thread_b(void *p) {
  w[x&1] = 0;
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
