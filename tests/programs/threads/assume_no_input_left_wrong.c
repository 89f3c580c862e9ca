// expect: false(unreach-call) line 10
// No input satisfies the assumption, but what was done before it is seen.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_assume(int);
extern unsigned char __VERIFIER_nondet_uchar(void);
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
  unsigned char value = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(value > 3 && value < 2);
  return value;
}
