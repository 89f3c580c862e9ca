// expect: false(no-data-race)
// property: no-data-race
// Reading the own value orders nothing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int f; static int x;
static void *a(void *p) {
  x = 1; atomic_store(&f, 1);
  return p;
}
static void *b(void *p) {
  atomic_store(&f, 2); if (atomic_load(&f) == 2) x = 2;
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
