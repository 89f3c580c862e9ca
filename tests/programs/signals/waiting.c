// expect: true
// proved-by: auto
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>
static volatile sig_atomic_t last;
static void handler(int number) { last = number; }
int main(void) {
  signal(SIGUSR1, handler);
  signal(SIGUSR2, handler);
  assert(pause() == -1 && errno == EINTR);
  assert(last == SIGUSR1 || last == SIGUSR2);
  sigset_t set, all;
  sigfillset(&all);
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, 0);
  int number = 0;
  assert(sigwait(&set, &number) == 0 && number == SIGTERM);
  sigdelset(&all, SIGUSR2);
  last = 0;
  assert(sigsuspend(&all) == -1 && last == SIGUSR2);
  raise(SIGTERM);
  assert(sigwaitinfo(&set, 0) == SIGTERM);
  return 0;
}
