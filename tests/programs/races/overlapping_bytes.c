// expect: false(no-data-race)
// property: no-data-race
// A byte of the other.
#include <assert.h>
#include <pthread.h>
static union { int i; char c[4]; } u_;
static void *a(void *p) {
  u_.i = 1;
  return p;
}
static void *b(void *p) {
  u_.c[3] = 1;
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
