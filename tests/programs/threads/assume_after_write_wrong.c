// expect: false(unreach-call) line 9
// An assumption that fails later does not undo what others saw before it was looked at.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_assume(int);
static int seen;
static void *look(void *unused) {
  int now = seen;
  assert(now == 0);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  seen = 1;
  __VERIFIER_assume(0);
  return 0;
}
