// expect: true
// proved-by: auto
#include <assert.h>
#include <signal.h>
#include <string.h>
static volatile sig_atomic_t seen, blocked_seen;
static void handler(int number) { seen += number; }
static void other(int number, siginfo_t *information, void *context) {
  (void)context;
  blocked_seen = information->si_signo == number;
}
int main(void) {
  assert(signal(SIGUSR1, handler) == SIG_DFL);
  raise(SIGUSR1);
  assert(seen == SIGUSR1);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = other;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR2, &action, 0);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, 0);
  raise(SIGUSR2);
  assert(!blocked_seen);
  sigprocmask(SIG_UNBLOCK, &set, 0);
  assert(blocked_seen);
  signal(SIGUSR1, SIG_IGN);
  raise(SIGUSR1);
  assert(seen == SIGUSR1);
  return 0;
}
