// expect: true
// proved-by: explicit
// In an atomic section nobody sees what was done before the assumption fails.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int seen;
static void *look(void *unused) {
  int now = seen;
  assert(now == 0);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  __VERIFIER_atomic_begin();
  seen = 1;
  __VERIFIER_assume(0);
  __VERIFIER_atomic_end();
  return 0;
}
