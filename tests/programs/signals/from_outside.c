// options: --signals 2
// expect: true
// proved-by: auto
#include <assert.h>
#include <signal.h>
#include <string.h>
static volatile sig_atomic_t stop;
static int begun, done;
static void handler(int number) {
  assert(number == SIGINT && begun == done);
  stop = 1;
}
int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigaction(SIGINT, &action, 0);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  for (int i = 0; i < 2 && !stop; i++) {
    sigprocmask(SIG_BLOCK, &set, 0);
    begun++;
    done++;
    sigprocmask(SIG_UNBLOCK, &set, 0);
  }
  return 0;
}
