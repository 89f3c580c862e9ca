// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// No index meets the other.
#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void); static int x[8];
static void *a(void *p) {
  x[7] = 1;
  return p;
}
static void *b(void *p) {
  unsigned i = __VERIFIER_nondet_uint(); if (i < 7) x[i] = 1;
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
