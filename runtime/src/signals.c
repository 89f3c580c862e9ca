// Signals. A handler runs where the program itself raises the signal, in the thread that does: raise and kill call it there
// and then, or when the thread unblocks it. Signals from outside and of timers: arrivals.c.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "signals.h"

#define WHITTLE_SIGNALS 65
struct action {
  void (*handler)(int);  // SIG_DFL, SIG_IGN, or a function; of three parameters if `flags` has SA_SIGINFO
  long flags;  // no gap after it: copies would ask for its bytes
  uint64_t mask;  // signals that are blocked while the handler runs
};
static struct action actions[WHITTLE_SIGNALS];
_Thread_local uint64_t __whittle_blocked_signals;  // bit n - 1: signal n
_Thread_local uint64_t __whittle_pending_signals;
#define blocked __whittle_blocked_signals
#define pending __whittle_pending_signals
static uint64_t handled;  // signals that have a handler

static uint64_t bit(int number) { return UINT64_C(1) << (number - 1); }

// A new thread has the mask of the thread that created it, which is not followed: a thread that needs its mask must have set
// it, or no thread must have blocked anything.
static _Bool masks_are_used;
static _Thread_local _Bool mask_is_known;
void __whittle_need_signal_mask(void) {
  __whittle_atomic_begin();
  _Bool used = masks_are_used;
  __whittle_atomic_end();
  if (used && !mask_is_known && __whittle_self() != 0) __whittle_unsupported("mask of signals that a thread inherits");
}

static _Bool bad(int number) {
  if (number >= 1 && number < WHITTLE_SIGNALS) return 0;
  errno = EINVAL;
  return 1;
}
static struct action exchange(int number, struct action new) {
  if (number == SIGABRT && new.handler != SIG_DFL) __whittle_unsupported("handler of SIGABRT");
  __whittle_atomic_begin();
  struct action old = actions[number];
  actions[number] = new;
  handled = new.handler == SIG_DFL || new.handler == SIG_IGN ? handled & ~bit(number) : handled | bit(number);
  __whittle_atomic_end();
  return old;
}
static _Bool unchangeable(int number) {
  if (bad(number)) return 1;
  if (number != SIGKILL && number != SIGSTOP) return 0;
  errno = EINVAL;
  return 1;
}
uint64_t __whittle_signal_bits(const sigset_t* set) {
  uint64_t result = 0;
  for (int i = 1; i < WHITTLE_SIGNALS; i++)
    if (((const unsigned char*)set)[(i - 1) / 8] >> ((i - 1) % 8) & 1) result |= bit(i);
  return result;
}
static void store_bits(sigset_t* set, uint64_t value) {
  memset(set, 0, sizeof *set);
  for (int i = 0; i < 8; i++) ((unsigned char*)set)[i] = (unsigned char)(value >> (8 * i));
}
// As in glibc: the handler stays, and system calls go on after it.
void (*signal(int number, void (*handler)(int)))(int) {
  return unchangeable(number) ? SIG_ERR : exchange(number, (struct action){handler, SA_RESTART, 0}).handler;
}
int sigaction(int number, const struct sigaction* action, struct sigaction* old) {
  if (bad(number) || (action && unchangeable(number))) return -1;
  struct action before;
  if (action) {
    before = exchange(number, (struct action){action->sa_handler, action->sa_flags, __whittle_signal_bits(&action->sa_mask)});
  } else {
    __whittle_atomic_begin();
    before = actions[number];
    __whittle_atomic_end();
  }
  if (old) {
    *old = (struct sigaction){0};
    old->sa_handler = before.handler;
    old->sa_flags = before.flags;
    store_bits(&old->sa_mask, before.mask);
  }
  return 0;
}

uint64_t __whittle_open_signals(void) {
  __whittle_atomic_begin();
  uint64_t open = handled & ~blocked;
  __whittle_atomic_end();
  if (open) __whittle_need_signal_mask();
  return open;
}

// The default action ends the program, except for the few signals that are ignored or stop it.
void __whittle_deliver_signal(int number) {
  __whittle_atomic_begin();
  struct action action = actions[number];
  if (action.flags & SA_RESETHAND && action.handler != SIG_IGN) {
    actions[number].handler = SIG_DFL;
    handled &= ~bit(number);
  }
  __whittle_atomic_end();
  if (action.handler == SIG_IGN) return;
  if (action.handler != SIG_DFL) {
    uint64_t before = blocked;
    blocked |= action.mask;
    if (!(action.flags & SA_NODEFER)) blocked |= bit(number);
    if (action.flags & SA_SIGINFO) {
      siginfo_t information;
      memset(&information, 0, sizeof information);
      information.si_signo = number;
      ((void (*)(int, siginfo_t*, void*))(void (*)(void))action.handler)(number, &information, 0);
    } else {
      action.handler(number);
    }
    blocked = before;
    __whittle_deliver_pending_signals();
    return;
  }
  if (number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT) return;
  if (number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU)
    __whittle_unsupported("signal that stops the program");
  __whittle_halt(128 + number, "abort");
}
void __whittle_deliver_pending_signals(void) {
  for (int i = 1; i < WHITTLE_SIGNALS && pending & ~blocked; i++)
    if (pending & ~blocked & bit(i)) {
      pending &= ~bit(i);
      __whittle_deliver_signal(i);
    }
}
int raise(int number) {
  if (bad(number)) return -1;
  __whittle_need_signal_mask();
  if (blocked & bit(number) && number != SIGKILL && number != SIGSTOP) {
    __whittle_atomic_begin();
    _Bool ignored = actions[number].handler == SIG_IGN;
    __whittle_atomic_end();
    if (!ignored) pending |= bit(number);
  } else {
    __whittle_deliver_signal(number);
  }
  return 0;
}
// A signal for the process is handled by any of its threads.
int kill(pid_t process, int number) {
  if (number != 0 && bad(number)) return -1;
  if (process <= 0) __whittle_unsupported("kill of a group of processes");
  if (process != getpid()) return __whittle_nondet_bool() ? __whittle_fail(ESRCH, EPERM, ESRCH) : 0;
  if (number != 0 && !__whittle_is_only_thread()) __whittle_unsupported("kill with several threads");
  return number == 0 ? 0 : raise(number);
}

// Masks: those of the calling thread.
static int change_mask(int how, const sigset_t* set, sigset_t* old) {
  if (how == SIG_SETMASK && set) mask_is_known = 1;
  __whittle_need_signal_mask();
  uint64_t before = blocked;
  if (!set) {
    if (old) store_bits(old, before);
    return 0;
  }
  uint64_t value = __whittle_signal_bits(set) & ~(bit(SIGKILL) | bit(SIGSTOP));
  if (how == SIG_BLOCK)
    blocked |= value;
  else if (how == SIG_UNBLOCK)
    blocked &= ~value;
  else if (how == SIG_SETMASK)
    blocked = value;
  else
    return EINVAL;
  __whittle_atomic_begin();
  masks_are_used = 1;
  __whittle_atomic_end();
  if (old) store_bits(old, before);
  __whittle_deliver_pending_signals();
  return 0;
}
int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) { return change_mask(how, set, old); }
int sigprocmask(int how, const sigset_t* set, sigset_t* old) {
  int error = change_mask(how, set, old);
  if (!error) return 0;
  errno = error;
  return -1;
}
int sigpending(sigset_t* set) {
  store_bits(set, pending);
  return 0;
}
int siginterrupt(int number, int flag) {
  (void)flag;
  return bad(number) ? -1 : 0;
}

// siglongjmp to a buffer that holds a mask.
void __whittle_restore_signals(uint64_t mask) {
  blocked = mask;
  if (pending & ~blocked) __whittle_unsupported("siglongjmp that unblocks a signal that was raised");
}
