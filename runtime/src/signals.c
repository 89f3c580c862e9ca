// Signals. A handler of the program's own would have to run at any moment, so installing one is refused by name; ignoring a
// signal and its default action are modelled. Signals from outside are not: they end the program or do nothing.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "primitives.h"

#define WHITTLE_SIGNALS 65
static void (*dispositions[WHITTLE_SIGNALS])(int);  // SIG_DFL or SIG_IGN

static _Bool bad(int number) {
  if (number >= 1 && number < WHITTLE_SIGNALS) return 0;
  errno = EINVAL;
  return 1;
}
static void (*exchange(int number, void (*handler)(int)))(int) {
  if (handler != SIG_DFL && handler != SIG_IGN) __whittle_unsupported("signal handler");
  __whittle_atomic_begin();
  void (*old)(int) = dispositions[number];
  dispositions[number] = handler;
  __whittle_atomic_end();
  return old;
}
static _Bool unchangeable(int number) {
  if (bad(number)) return 1;
  if (number != SIGKILL && number != SIGSTOP) return 0;
  errno = EINVAL;
  return 1;
}
void (*signal(int number, void (*handler)(int)))(int) {
  return unchangeable(number) ? SIG_ERR : exchange(number, handler);
}
int sigaction(int number, const struct sigaction* action, struct sigaction* old) {
  if (bad(number) || (action && unchangeable(number))) return -1;
  void (*handler)(int) = action ? action->sa_handler : 0;
  __whittle_atomic_begin();
  void (*before)(int) = dispositions[number];
  __whittle_atomic_end();
  if (action) before = exchange(number, handler);
  if (old) {
    *old = (struct sigaction){0};
    old->sa_handler = before;
  }
  return 0;
}

// The default action ends the program, except for the few signals that are ignored or stop it.
int raise(int number) {
  if (bad(number)) return -1;
  if (number == SIGABRT) abort();
  __whittle_atomic_begin();
  void (*handler)(int) = dispositions[number];
  __whittle_atomic_end();
  if (handler == SIG_IGN || number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT) return 0;
  if (number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU)
    __whittle_unsupported("signal that stops the program");
  __whittle_halt(128 + number, "abort");
}
int kill(pid_t process, int number) {
  if (number != 0 && bad(number)) return -1;
  if (process != getpid()) __whittle_unsupported("kill of another process");
  return number == 0 ? 0 : raise(number);
}
