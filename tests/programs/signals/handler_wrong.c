// expect: false(unreach-call) line 7
#include <assert.h>
#include <signal.h>
#include <unistd.h>
static void handler(int number) {
  (void)number;
  assert(0);
}
int main(void) {
  struct sigaction action = {0};
  action.sa_handler = handler;
  sigaction(SIGUSR1, &action, 0);
  kill(getpid(), SIGUSR1);
  return 0;
}
