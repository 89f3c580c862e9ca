// Signals that the program does not raise itself: of its timers, and from outside (at most so many as --signals says). The front end
// calls __whittle_signal_point wherever a handler could run (src/frontend/signal_points.h).
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "files.h"
#include "signals.h"

static unsigned arrived;  // from outside
static struct timer {
  _Bool runs, repeats, used;
} timers[3];
static int signal_of(int timer) { return timer == ITIMER_REAL ? SIGALRM : timer == ITIMER_VIRTUAL ? SIGVTALRM : SIGPROF; }
static uint64_t bit(int number) { return UINT64_C(1) << (number - 1); }

static int any_of(uint64_t set) {
  int number = 1;
  while (!(set & bit(number)) || (set & ~(bit(number) | (bit(number) - 1)) && __whittle_nondet_bool())) number++;
  return number;
}
static void deliver(int number) {
  __whittle_atomic_begin();
  for (int i = 0; i < 3; i++)
    if (signal_of(i) == number && !timers[i].repeats) timers[i].runs = 0;
  __whittle_atomic_end();
  __whittle_deliver_signal(number);
}
// Does one more arrive now, and which? 0: none.
static int next_arrival(void) {
  uint64_t open = __whittle_open_signals(), due = 0;
  if (!open) return 0;
  __whittle_atomic_begin();
  for (int i = 0; i < 3; i++)
    if (timers[i].runs) due |= open & bit(signal_of(i));
  _Bool outside = arrived < __whittle_signals();
  __whittle_atomic_end();
  if (due && __whittle_nondet_bool()) return any_of(due);
  if (!outside || !__whittle_nondet_bool()) return 0;
  __whittle_atomic_begin();
  arrived++;
  __whittle_atomic_end();
  return any_of(open);
}
void __whittle_signal_point(void) {
  for (int number; (number = next_arrival()) != 0;) deliver(number);
}

static _Bool start(int which, _Bool runs, _Bool repeats) {
  __whittle_atomic_begin();
  _Bool before = timers[which].runs;
  timers[which] = (struct timer){runs, repeats, 1};
  __whittle_atomic_end();
  return before;
}
unsigned alarm(unsigned seconds) {
  if (!start(ITIMER_REAL, seconds != 0, 0)) return 0;
  unsigned left = __whittle_nondet_u32();
  __whittle_assume(left > 0);
  return left;
}
useconds_t ualarm(useconds_t first, useconds_t interval) {
  if (!start(ITIMER_REAL, first != 0, interval != 0)) return 0;
  useconds_t left = __whittle_nondet_u32();
  __whittle_assume(left > 0);
  return left;
}
static void any_span(struct timeval* span) {
  span->tv_sec = (time_t)(__whittle_nondet_u32() & 0x7fffffff);
  span->tv_usec = (suseconds_t)(__whittle_nondet_u32() % 1000000);
}
static void describe(int which, struct itimerval* result) {
  memset(result, 0, sizeof *result);
  __whittle_atomic_begin();
  struct timer timer = timers[which];
  __whittle_atomic_end();
  if (timer.runs) any_span(&result->it_value);
  if (timer.repeats) any_span(&result->it_interval);
}
static _Bool bad(int which) {
  if (which >= 0 && which < 3) return 0;
  errno = EINVAL;
  return 1;
}
static _Bool bad_span(const struct timeval* span) { return span->tv_sec < 0 || span->tv_usec < 0 || span->tv_usec >= 1000000; }
#undef getitimer
#undef setitimer
int getitimer_model(int which, struct itimerval* result) __asm__("getitimer");
int getitimer_model(int which, struct itimerval* result) {
  if (bad(which)) return -1;
  describe(which, result);
  return 0;
}
int setitimer_model(int which, const struct itimerval* new, struct itimerval* old) __asm__("setitimer");
int setitimer_model(int which, const struct itimerval* new, struct itimerval* old) {
  if (bad(which)) return -1;
  if (bad_span(&new->it_value) || bad_span(&new->it_interval)) {
    errno = EINVAL;
    return -1;
  }
  _Bool runs = new->it_value.tv_sec != 0 || new->it_value.tv_usec != 0;
  _Bool repeats = new->it_interval.tv_sec != 0 || new->it_interval.tv_usec != 0;
  if (old) describe(which, old);
  start(which, runs, repeats);
  return 0;
}

// Who waits for a signal gets one; without a handler the wait has no end, or the program ends. So it has if it waits for a timer that has
// run out.
static void wait_for_one(void) {
  uint64_t open = __whittle_open_signals();
  __whittle_atomic_begin();
  for (int i = 0; i < 3; i++)
    if (timers[i].used && !timers[i].runs) open &= ~bit(signal_of(i));
  __whittle_atomic_end();
  __whittle_assume(open != 0);
  deliver(any_of(open));
}
int pause(void) {
  CANCELLATION_POINT();
  wait_for_one();
  errno = EINTR;
  return -1;
}
int sigsuspend(const sigset_t* mask) {
  CANCELLATION_POINT();
  __whittle_need_signal_mask();
  uint64_t before = __whittle_blocked_signals;
  __whittle_blocked_signals = __whittle_signal_bits(mask) & ~(bit(SIGKILL) | bit(SIGSTOP));
  if (__whittle_pending_signals & ~__whittle_blocked_signals)
    __whittle_deliver_pending_signals();
  else
    wait_for_one();
  __whittle_blocked_signals = before;
  errno = EINTR;
  return -1;
}
// One that was raised, else any.
static int take(const sigset_t* set) {
  uint64_t wanted = __whittle_signal_bits(set);
  if (__whittle_pending_signals & wanted) wanted &= __whittle_pending_signals;
  __whittle_assume(wanted != 0);
  int number = any_of(wanted);
  __whittle_pending_signals &= ~bit(number);
  return number;
}
int sigwait(const sigset_t* set, int* number) {
  CANCELLATION_POINT();
  *number = take(set);
  return 0;
}
int sigtimedwait(const sigset_t* set, siginfo_t* information, const struct timespec* limit) {
  CANCELLATION_POINT();
  if (limit && !valid_time(limit)) {
    errno = EINVAL;
    return -1;
  }
  if (!(__whittle_pending_signals & __whittle_signal_bits(set)) && __whittle_nondet_bool()) {
    errno = limit && __whittle_nondet_bool() ? EAGAIN : EINTR;
    return -1;
  }
  int number = take(set);
  if (information) {
    memset(information, 0, sizeof *information);
    information->si_signo = number;
  }
  return number;
}
int sigwaitinfo(const sigset_t* set, siginfo_t* information) { return sigtimedwait(set, information, 0); }
