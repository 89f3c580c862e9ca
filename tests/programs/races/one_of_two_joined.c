// expect: false(no-data-race)
// property: no-data-race
#include <pthread.h>
int x;
static void *thread_a(void *p) {
  return p;
}
static void *thread_b(void *p) {
  x = 1;
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, thread_a, 0);
  pthread_create(&t, 0, thread_b, 0);
  pthread_join(s, 0);
  x = 3;
  pthread_join(t, 0);
  return 0;
}
