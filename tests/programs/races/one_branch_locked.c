// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// Locked on every path.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void); static int x; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *a(void *p) {
  pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);
  return p;
}
static void *b(void *p) {
  if (__VERIFIER_nondet_int() == 1234567) { pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m); }
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
