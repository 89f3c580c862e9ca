// expect: true
// proved-by: explicit guided
// property: no-data-race
#include <pthread.h>
#include <string.h>
char c[8];
int h;
static void *thread_a(void *p) {
  memset(c, 1, 7);
  return p;
}
static void *thread_b(void *p) {
  h = c[7];
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
