// expect: true
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static int x, y;
static void __VERIFIER_atomic_both(void) {
  x++;
  y++;
}
static void *run(void *argument) {
  __VERIFIER_atomic_both();
  return argument;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, run, 0);
  __VERIFIER_atomic_begin();
  assert(x == y);
  __VERIFIER_atomic_end();
  pthread_join(a, 0);
  return 0;
}
