// expect: false(unreach-call) line 12
// hard-for: test
#include <assert.h>
#include <signal.h>
extern int __VERIFIER_nondet_int(void);
static int seen;
static void handler(int number) { seen = number; }
int main(void) {
  signal(SIGUSR1, handler);
  int x = __VERIFIER_nondet_int();
  if (x > 5) raise(SIGUSR1);
  assert(seen != SIGUSR1);
  return 0;
}
