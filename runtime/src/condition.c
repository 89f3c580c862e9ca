// Condition variables and barriers, as sets of threads: a waiting thread puts its bit into `waiting` and waits until
// someone takes it out. A signal takes out one bit, any one; no one who comes later can steal it, and nothing only
// grows.
//
// There are no spurious wake-ups: POSIX allows them, real systems hardly have them, and with them every program that
// waits once without a loop would be reported. `leaving` holds those woken who have not returned yet: a condition
// variable or barrier may be destroyed as soon as its waiters are woken, so destroying waits for them, as glibc does.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "threads.h"

struct condition {
  int64_t waiting;
  int64_t leaving;
  int32_t destroyed;
};
_Static_assert(sizeof(struct condition) <= sizeof(pthread_cond_t), "a condition fits");

static struct condition* condition_of(pthread_cond_t* cond) {  // in a region
  struct condition* c = (struct condition*)cond;
  __whittle_check(!c->destroyed, WHITTLE_LOCK_DISCIPLINE, "a destroyed condition variable is used");
  return c;
}

int pthread_cond_init(pthread_cond_t* cond, const pthread_condattr_t* attr) {
  struct condition* c = (struct condition*)cond;
  (void)attr;
  c->waiting = 0;
  c->leaving = 0;
  c->destroyed = 0;
  return 0;
}

int pthread_cond_destroy(pthread_cond_t* cond) {
  struct condition* c = (struct condition*)cond;
  __whittle_await64(&c->leaving, -1, 0, 0);
  __whittle_check(!c->destroyed, WHITTLE_LOCK_DISCIPLINE, "a condition variable is destroyed twice");
  __whittle_check(c->waiting == 0, WHITTLE_LOCK_DISCIPLINE,
                  "a condition variable is destroyed while threads wait for it");
  c->destroyed = 1;
  __whittle_atomic_end();
  return 0;
}

static int64_t any_bit(int64_t set) {
  uint64_t rest = (uint64_t)set;
  uint64_t lowest = rest & -rest;
  while (rest != lowest && __whittle_nondet_bool()) {
    rest ^= lowest;
    lowest = rest & -rest;
  }
  return (int64_t)lowest;
}

int pthread_cond_signal(pthread_cond_t* cond) {
  __whittle_atomic_begin();
  struct condition* c = condition_of(cond);
  if (c->waiting) {
    int64_t bit = any_bit(c->waiting);
    c->waiting ^= bit;
    c->leaving |= bit;
  }
  __whittle_atomic_end();
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t* cond) {
  __whittle_atomic_begin();
  struct condition* c = condition_of(cond);
  c->leaving |= c->waiting;
  c->waiting = 0;
  __whittle_atomic_end();
  return 0;
}

int pthread_cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex) {
  int64_t bit = thread_bit();
  __whittle_atomic_begin();
  struct condition* c = condition_of(cond);
  int error = __whittle_mutex_release(mutex);
  if (!error) {
    c->waiting |= bit;
    if (__whittle_uses("pthread_cancel")) __whittle_begin_wait(&c->waiting, &c->leaving);
  }
  __whittle_atomic_end();
  if (error) return error;
  if (__whittle_spurious_wakeups() && __whittle_nondet_bool()) {
    __whittle_atomic_begin();
    c->waiting &= ~bit;
    c->leaving &= ~bit;
    if (__whittle_uses("pthread_cancel")) __whittle_end_wait();
    __whittle_atomic_end();
    return pthread_mutex_lock(mutex);
  }
  _Bool cancelled = 0;
  __whittle_await64(&c->waiting, bit, 0, 0);
  c->leaving &= ~bit;
  if (__whittle_uses("pthread_cancel")) cancelled = __whittle_end_wait();
  __whittle_atomic_end();
  error = pthread_mutex_lock(mutex);
  if (__whittle_uses("pthread_cancel")) {
    if (cancelled) __whittle_end_cancelled();
  }
  return error;
}

// Never blocks before it has the mutex again: it gives up if it is scheduled before anybody has woken it.
int pthread_cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex, const struct timespec* until) {
  int64_t bit = thread_bit();
  _Bool cancelled = 0;
  (void)until;
  __whittle_atomic_begin();
  struct condition* c = condition_of(cond);
  if (__whittle_uses("pthread_cancel")) cancelled = __whittle_is_cancelled();
  int error = __whittle_mutex_release(mutex);
  if (!error) c->waiting |= bit;
  __whittle_atomic_end();
  if (error) return error;
  __whittle_atomic_begin();
  int late = (c->waiting & bit) != 0;
  c->waiting &= ~bit;
  c->leaving &= ~bit;
  __whittle_atomic_end();
  error = pthread_mutex_lock(mutex);
  if (__whittle_uses("pthread_cancel")) {
    if (cancelled) __whittle_end_cancelled();
    __whittle_may_act_on_cancel();
  }
  return error ? error : late ? ETIMEDOUT : 0;
}
int pthread_cond_clockwait(pthread_cond_t* cond, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* until) {
  (void)clock;
  return pthread_cond_timedwait(cond, mutex, until);
}

int pthread_condattr_init(pthread_condattr_t* attr) {
  *(int*)attr = 0;
  return 0;
}
int pthread_condattr_destroy(pthread_condattr_t* attr) {
  (void)attr;
  return 0;
}
int pthread_condattr_setpshared(pthread_condattr_t* attr, int shared) {
  (void)attr;
  return shared == PTHREAD_PROCESS_PRIVATE || shared == PTHREAD_PROCESS_SHARED ? 0 : EINVAL;
}
int pthread_condattr_setclock(pthread_condattr_t* attr, clockid_t clock) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  *(int*)attr = (int)clock;
  return 0;
}
int pthread_condattr_getclock(const pthread_condattr_t* attr, clockid_t* clock) {
  *clock = *(const int*)attr;
  return 0;
}

// Barriers: the last thread to come is the serial one.
struct barrier {
  int64_t waiting;
  int64_t leaving;  // as of a condition variable
  uint32_t count;   // 0: not initialised, or destroyed
};
_Static_assert(offsetof(struct barrier, count) + sizeof(uint32_t) <= sizeof(pthread_barrier_t), "a barrier fits");

int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attr, unsigned count) {
  struct barrier* b = (struct barrier*)barrier;
  (void)attr;
  if (count == 0) return EINVAL;
  b->waiting = 0;
  b->leaving = 0;
  b->count = count;
  return 0;
}

int pthread_barrier_destroy(pthread_barrier_t* barrier) {
  struct barrier* b = (struct barrier*)barrier;
  __whittle_await64(&b->leaving, -1, 0, 0);
  __whittle_check(b->count != 0, WHITTLE_LOCK_DISCIPLINE, "a barrier is destroyed that is not initialised");
  __whittle_check(b->waiting == 0, WHITTLE_LOCK_DISCIPLINE, "a barrier is destroyed while threads wait at it");
  b->count = 0;
  __whittle_atomic_end();
  return 0;
}

static uint32_t bits_in(int64_t set) {
  uint32_t n = 0;
  for (uint64_t rest = (uint64_t)set; rest; rest &= rest - 1) n++;
  return n;
}

int pthread_barrier_wait(pthread_barrier_t* barrier) {
  struct barrier* b = (struct barrier*)barrier;
  int64_t bit = thread_bit();
  __whittle_atomic_begin();
  __whittle_check(b->count != 0, WHITTLE_LOCK_DISCIPLINE, "a barrier is waited at that is not initialised");
  int last = bits_in(b->waiting) + 1 >= b->count;
  if (last) {
    b->leaving |= b->waiting;
    b->waiting = 0;
  } else {
    b->waiting |= bit;
  }
  __whittle_atomic_end();
  if (last) return PTHREAD_BARRIER_SERIAL_THREAD;
  __whittle_await64(&b->waiting, bit, 0, 0);
  b->leaving &= ~bit;
  __whittle_atomic_end();
  return 0;
}

int pthread_barrierattr_init(pthread_barrierattr_t* attr) {
  *(int*)attr = 0;
  return 0;
}
int pthread_barrierattr_destroy(pthread_barrierattr_t* attr) {
  (void)attr;
  return 0;
}
int pthread_barrierattr_setpshared(pthread_barrierattr_t* attr, int shared) {
  (void)attr;
  return shared == PTHREAD_PROCESS_PRIVATE || shared == PTHREAD_PROCESS_SHARED ? 0 : EINVAL;
}
