// expect: false(unreach-call) line 9
#include <assert.h>
#include <signal.h>
int main(void) {
  struct sigaction action = {0}, old;
  action.sa_handler = SIG_IGN;
  sigaction(SIGTERM, &action, &old);
  raise(SIGTERM);
  assert(old.sa_handler == SIG_IGN);
  return 0;
}
