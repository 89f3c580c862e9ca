// Mutexes of every kind. The word __lock is 0 or says who holds it (owner_word); __count counts relocks of a recursive
// one; __kind is where glibc's static initialisers put it, and kDestroyed after pthread_mutex_destroy. Each call is one
// step: an Await that takes the lock, or one region.
//
// A timed lock is a trylock with another error: it succeeds if it is scheduled while the lock is free and times out if
// it is scheduled while it is taken. That covers every outcome, and a timed wait is never part of a deadlock.
//
// Robust mutexes: those that a thread holds are a list through __list, which is gone through when it ends. What became of
// the data is in __owner.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "threads.h"

enum { kKindMask = 3, kRobust = 16, kDestroyed = -1 };
enum { kConsistent = 0, kOwnerEnded = 1, kLost = 2 };

static int kind_of(const pthread_mutex_t* m) { return m->__data.__kind & kKindMask; }

int pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t* attr) {
  int kind = attr ? *(const int*)attr & (kKindMask | kRobust) : PTHREAD_MUTEX_TIMED_NP;
  m->__data.__lock = 0;
  m->__data.__count = 0;
  m->__data.__kind = kind;
  if (__whittle_uses("pthread_mutexattr_setrobust")) m->__data.__owner = kConsistent;
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t* m) {
  __whittle_atomic_begin();
  int locked = m->__data.__lock != 0;
  __whittle_check(m->__data.__kind != kDestroyed, WHITTLE_LOCK_DISCIPLINE, "a mutex is destroyed twice");
  __whittle_check(!locked, WHITTLE_LOCK_DISCIPLINE, "a mutex is destroyed while it is locked");
  if (!locked) m->__data.__kind = kDestroyed;
  __whittle_atomic_end();
  return locked ? EBUSY : 0;
}

static _Thread_local pthread_mutex_t* held;  // the last robust one
static int is_robust(const pthread_mutex_t* m) { return m->__data.__kind & kRobust; }
static pthread_mutex_t* next_held(pthread_mutex_t* m) { return (pthread_mutex_t*)(void*)m->__data.__list.__next; }

static int take_robust(pthread_mutex_t* m) {
  if (m->__data.__owner == kLost) {
    m->__data.__lock = 0;
    return ENOTRECOVERABLE;
  }
  m->__data.__list.__next = (void*)held;
  held = m;
  return m->__data.__owner == kOwnerEnded ? EOWNERDEAD : 0;
}
static void release_robust(pthread_mutex_t* m) {
  if (m->__data.__owner == kOwnerEnded) m->__data.__owner = kLost;
  if (held == m) {
    held = next_held(m);
  } else {
    pthread_mutex_t* other = held;
    while (next_held(other) != m) other = next_held(other);
    other->__data.__list.__next = m->__data.__list.__next;
  }
  m->__data.__list.__next = 0;
}
void __whittle_mutex_owner_ends(void) {
  while (held) {
    pthread_mutex_t* m = held;
    held = next_held(m);
    m->__data.__list.__next = 0;
    m->__data.__lock = 0;
    m->__data.__count = 0;
    m->__data.__owner = kOwnerEnded;
  }
}
int pthread_mutex_consistent(pthread_mutex_t* m) {
  __whittle_atomic_begin();
  int fits = m->__data.__kind != kDestroyed && is_robust(m) && m->__data.__owner == kOwnerEnded;
  if (fits) m->__data.__owner = kConsistent;
  __whittle_atomic_end();
  return fits ? 0 : EINVAL;
}

// The lock is free or ours, and we are in a region.
static int take(pthread_mutex_t* m, int32_t me) {
  __whittle_check(m->__data.__kind != kDestroyed, WHITTLE_LOCK_DISCIPLINE, "a destroyed mutex is locked");
  if (m->__data.__lock == 0) {
    m->__data.__lock = me;
    if (__whittle_uses("pthread_mutexattr_setrobust")) {
      if (is_robust(m)) return take_robust(m);
    }
    return 0;
  }
  if (kind_of(m) == PTHREAD_MUTEX_RECURSIVE_NP) {
    m->__data.__count++;
    return 0;
  }
  return EDEADLK;
}

int pthread_mutex_lock(pthread_mutex_t* m) {
  int32_t me = owner_word();
  __whittle_await32(&m->__data.__lock, ~me, 0, 0);
  int error = take(m, me);
  if (error == EDEADLK && kind_of(m) != PTHREAD_MUTEX_ERRORCHECK_NP) {  // relocking a normal mutex blocks for good
    __whittle_atomic_end();
    __whittle_await32(&m->__data.__lock, -1, 0, 0);
    error = take(m, me);
  }
  __whittle_atomic_end();
  return error;
}

static int try_lock(pthread_mutex_t* m, int busy) {
  int32_t me = owner_word();
  int error;
  __whittle_atomic_begin();
  __whittle_check(m->__data.__kind != kDestroyed, WHITTLE_LOCK_DISCIPLINE, "a destroyed mutex is locked");
  if (m->__data.__lock == 0 || (m->__data.__lock == me && kind_of(m) == PTHREAD_MUTEX_RECURSIVE_NP))
    error = take(m, me);
  else if (busy != EBUSY && m->__data.__lock == me && kind_of(m) == PTHREAD_MUTEX_ERRORCHECK_NP)
    error = EDEADLK;
  else
    error = busy;
  __whittle_atomic_end();
  return error;
}

int pthread_mutex_trylock(pthread_mutex_t* m) { return try_lock(m, EBUSY); }
int pthread_mutex_timedlock(pthread_mutex_t* m, const struct timespec* until) {
  return try_lock(m, valid_time(until) ? ETIMEDOUT : EINVAL);
}
int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t clock, const struct timespec* until) {
  (void)clock;
  return try_lock(m, valid_time(until) ? ETIMEDOUT : EINVAL);
}

int __whittle_mutex_release(void* mutex) {
  pthread_mutex_t* m = mutex;
  __whittle_check(m->__data.__kind != kDestroyed, WHITTLE_LOCK_DISCIPLINE, "a destroyed mutex is unlocked");
  if (m->__data.__lock != owner_word()) {
    int kind = kind_of(m);
    if (kind == PTHREAD_MUTEX_RECURSIVE_NP || kind == PTHREAD_MUTEX_ERRORCHECK_NP) return EPERM;
    if (__whittle_uses("pthread_mutexattr_setrobust")) {
      if (is_robust(m)) return EPERM;
    }
    __whittle_check(0, WHITTLE_LOCK_DISCIPLINE, "a mutex is unlocked by a thread that does not hold it");
  }
  if (m->__data.__count > 0) {
    m->__data.__count--;
  } else {
    m->__data.__lock = 0;
    if (__whittle_uses("pthread_mutexattr_setrobust")) {
      if (is_robust(m)) release_robust(m);
    }
  }
  return 0;
}

int pthread_mutex_unlock(pthread_mutex_t* m) {
  __whittle_atomic_begin();
  int error = __whittle_mutex_release(m);
  __whittle_atomic_end();
  return error;
}

int pthread_mutexattr_init(pthread_mutexattr_t* attr) {
  *(int*)attr = PTHREAD_MUTEX_TIMED_NP;
  return 0;
}
int pthread_mutexattr_destroy(pthread_mutexattr_t* attr) {
  (void)attr;
  return 0;
}
int pthread_mutexattr_settype(pthread_mutexattr_t* attr, int kind) {
  if (kind < PTHREAD_MUTEX_TIMED_NP || kind > PTHREAD_MUTEX_ADAPTIVE_NP) return EINVAL;
  *(int*)attr = (*(int*)attr & kRobust) | kind;
  return 0;
}
int pthread_mutexattr_gettype(const pthread_mutexattr_t* attr, int* kind) {
  *kind = *(const int*)attr & kKindMask;
  return 0;
}
int pthread_mutexattr_setpshared(pthread_mutexattr_t* attr, int shared) {
  (void)attr;
  return shared == PTHREAD_PROCESS_PRIVATE || shared == PTHREAD_PROCESS_SHARED ? 0 : EINVAL;
}
int pthread_mutexattr_setprotocol(pthread_mutexattr_t* attr, int protocol) {
  (void)attr;
  return protocol >= PTHREAD_PRIO_NONE && protocol <= PTHREAD_PRIO_PROTECT ? 0 : EINVAL;
}
int pthread_mutexattr_setrobust(pthread_mutexattr_t* attr, int robust) {
  if (robust != PTHREAD_MUTEX_STALLED && robust != PTHREAD_MUTEX_ROBUST) return EINVAL;
  *(int*)attr = (*(int*)attr & kKindMask) | (robust == PTHREAD_MUTEX_ROBUST ? kRobust : 0);
  return 0;
}
int pthread_mutexattr_getrobust(const pthread_mutexattr_t* attr, int* robust) {
  *robust = *(const int*)attr & kRobust ? PTHREAD_MUTEX_ROBUST : PTHREAD_MUTEX_STALLED;
  return 0;
}

// Spin locks: the word says who holds it, or that it was destroyed.
enum { kNoSpinLock = -1 };

static void check_spin(pthread_spinlock_t* lock) {
  __whittle_check(*lock != kNoSpinLock, WHITTLE_LOCK_DISCIPLINE, "a destroyed spin lock is used");
}
int pthread_spin_init(pthread_spinlock_t* lock, int shared) {
  (void)shared;
  *lock = 0;
  return 0;
}
int pthread_spin_destroy(pthread_spinlock_t* lock) {
  __whittle_atomic_begin();
  check_spin(lock);
  __whittle_check(*lock <= 0, WHITTLE_LOCK_DISCIPLINE, "a spin lock is destroyed while it is locked");
  *lock = kNoSpinLock;
  __whittle_atomic_end();
  return 0;
}
int pthread_spin_lock(pthread_spinlock_t* lock) {
  __whittle_await32(lock, -1, kNoSpinLock, 0);
  check_spin(lock);
  *lock = owner_word();
  __whittle_atomic_end();
  return 0;
}
int pthread_spin_trylock(pthread_spinlock_t* lock) {
  __whittle_atomic_begin();
  check_spin(lock);
  int busy = *lock > 0;
  if (!busy) *lock = owner_word();
  __whittle_atomic_end();
  return busy ? EBUSY : 0;
}
int pthread_spin_unlock(pthread_spinlock_t* lock) {
  __whittle_atomic_begin();
  check_spin(lock);
  __whittle_check(*lock == owner_word(), WHITTLE_LOCK_DISCIPLINE,
                  "a spin lock is unlocked by a thread that does not hold it");
  *lock = 0;
  __whittle_atomic_end();
  return 0;
}
