// expect: true
// proved-by: explicit
#include <assert.h>
#include <signal.h>
int main(void) {
  sigset_t set;
  sigemptyset(&set);
  assert(sigaddset(&set, SIGINT) == 0 && sigismember(&set, SIGINT) == 1 && sigismember(&set, SIGTERM) == 0);
  sigdelset(&set, SIGINT);
  assert(sigismember(&set, SIGINT) == 0 && sigaddset(&set, 0) == -1);
  return 0;
}
