// pthread_cancel: a request that its thread follows at the next cancellation point, while cancelling is enabled there.
// Every use of this file stands in `if (__whittle_uses("pthread_cancel"))`: other programs have nothing of it.
//
// A thread that waits puts its bit into a set and waits until someone takes it out (threads.h). It says here which set
// that is, so that a request can wake it.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "threads.h"

static int32_t asked_of[WHITTLE_MAX_THREADS];  // to end
static struct {
  int64_t* waiting;  // null: it does not wait, or must not be cancelled
  int64_t* leaving;
  int32_t cancelled;  // a request ended its wait
} waits[WHITTLE_MAX_THREADS];
static _Thread_local int cancel_state = PTHREAD_CANCEL_ENABLE, cancel_type = PTHREAD_CANCEL_DEFERRED;

static void wake(int number) {
  int64_t bit = (int64_t)(UINT64_C(1) << number);
  *waits[number].waiting &= ~bit;
  *waits[number].leaving |= bit;
  waits[number].waiting = 0;
  waits[number].leaving = 0;
  waits[number].cancelled = 1;
}

int pthread_cancel(pthread_t thread) {
  int number = __whittle_thread_number(thread);
  if (number < 0) return ESRCH;
  __whittle_atomic_begin();
  if (__whittle_thread_is_alive(number)) {
    asked_of[number] = 1;
    if (waits[number].waiting) wake(number);
  }
  __whittle_atomic_end();
  return 0;
}

void __whittle_forget_cancel(int number) {
  asked_of[number] = 0;
  waits[number].cancelled = 0;
}

_Bool __whittle_is_cancelled(void) { return cancel_state == PTHREAD_CANCEL_ENABLE && asked_of[__whittle_self()]; }

void __whittle_end_cancelled(void) {
  cancel_state = PTHREAD_CANCEL_DISABLE;
  pthread_exit(PTHREAD_CANCELED);
}

void __whittle_act_on_cancel(void) {
  __whittle_atomic_begin();
  _Bool cancelled = __whittle_is_cancelled();
  __whittle_atomic_end();
  if (cancelled) __whittle_end_cancelled();
}

void __whittle_may_act_on_cancel(void) {
  __whittle_atomic_begin();
  _Bool cancelled = __whittle_is_cancelled();
  __whittle_atomic_end();
  if (cancelled && __whittle_nondet_bool()) __whittle_end_cancelled();
}

void __whittle_begin_wait(int64_t* waiting, int64_t* leaving) {
  int me = __whittle_self();
  if (cancel_state != PTHREAD_CANCEL_ENABLE) return;
  waits[me].waiting = waiting;
  waits[me].leaving = leaving;
  if (asked_of[me]) wake(me);
}

// A request that comes after the thread was woken for another reason may count or not.
_Bool __whittle_end_wait(void) {
  int me = __whittle_self();
  _Bool cancelled = waits[me].cancelled;
  waits[me].waiting = 0;
  waits[me].leaving = 0;
  waits[me].cancelled = 0;
  return cancelled || (__whittle_is_cancelled() && __whittle_nondet_bool());
}

void pthread_testcancel(void) { CANCELLATION_POINT(); }

int pthread_setcancelstate(int state, int* old) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  if (old) *old = cancel_state;
  cancel_state = state;
  return 0;
}
int pthread_setcanceltype(int type, int* old) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  if (__whittle_uses("pthread_cancel")) {
    if (type == PTHREAD_CANCEL_ASYNCHRONOUS) __whittle_unsupported("threads that are cancelled anywhere (PTHREAD_CANCEL_ASYNCHRONOUS)");
  }
  if (old) *old = cancel_type;
  cancel_type = type;
  return 0;
}
