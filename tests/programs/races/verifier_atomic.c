// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// Both are in atomic sections.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void); static int x;
static void *a(void *p) {
  __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();
  return p;
}
static void *b(void *p) {
  __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();
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
