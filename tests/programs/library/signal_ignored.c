// expect: true
// proved-by: explicit
#include <assert.h>
#include <signal.h>
#include <unistd.h>
int main(void) {
  assert(signal(SIGPIPE, SIG_IGN) == SIG_DFL);
  assert(raise(SIGPIPE) == 0);
  assert(signal(SIGPIPE, SIG_DFL) == SIG_IGN);
  assert(signal(SIGKILL, SIG_IGN) == SIG_ERR);
  kill(getpid(), SIGTERM);
  assert(0);
}
