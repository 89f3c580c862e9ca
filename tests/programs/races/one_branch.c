// expect: false(no-data-race)
// property: no-data-race
// Only one value of the input leads to the race.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void); static int x;
static void *a(void *p) {
  x = 1;
  return p;
}
static void *b(void *p) {
  if (__VERIFIER_nondet_int() == 1234567) x = 2;
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
