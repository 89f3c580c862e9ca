// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// Two threads join two others, each with a place for the result.
#include <pthread.h>
static pthread_t first, second;
static void *result, *other;
static void *idle(void *p) { return p; }
static void *a(void *p) {
  pthread_join(first, &result);
  return p;
}
static void *b(void *p) {
  pthread_join(second, &other);
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&first, 0, idle, 0);
  pthread_create(&second, 0, idle, 0);
  pthread_create(&s, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
