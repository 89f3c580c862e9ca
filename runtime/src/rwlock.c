// Reader-writer locks and POSIX semaphores.
// The word of an rwlock: 0 free, n > 0 held by n readers, kDestroyed, or below it: the word of the writing thread with
// the highest bit set.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

#include "threads.h"

enum { kDestroyed = -1 };

static int32_t* word_of(pthread_rwlock_t* lock) { return (int32_t*)lock; }
static int32_t writer(void) { return owner_word() | INT_MIN; }

static void check_alive(pthread_rwlock_t* lock) {
  __whittle_check(*word_of(lock) != kDestroyed, WHITTLE_LOCK_DISCIPLINE, "a destroyed reader-writer lock is used");
}

// What this thread has locked for reading: only it can tell, as the lock itself has room for a number only.
#define WHITTLE_MAX_READ_LOCKS 8
static _Thread_local struct {
  pthread_rwlock_t* lock;
  uint32_t count;
} reading[WHITTLE_MAX_READ_LOCKS];

static int find_reading(pthread_rwlock_t* lock) {
  int i = 0;
  while (i < WHITTLE_MAX_READ_LOCKS && reading[i].count && reading[i].lock != lock) i++;
  return i;
}
static void take_reading(pthread_rwlock_t* lock) {
  ++*word_of(lock);
  int i = find_reading(lock);
  if (i == WHITTLE_MAX_READ_LOCKS) __whittle_unsupported("more than 8 reader-writer locks held for reading by one thread");
  reading[i].lock = lock;
  reading[i].count++;
}
static int drop_reading(pthread_rwlock_t* lock) {
  int i = find_reading(lock);
  if (i == WHITTLE_MAX_READ_LOCKS || !reading[i].count) return 0;
  if (--reading[i].count) return 1;
  for (; i + 1 < WHITTLE_MAX_READ_LOCKS && reading[i + 1].count; i++) reading[i] = reading[i + 1];
  reading[i].lock = 0;
  reading[i].count = 0;
  return 1;
}

int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attr) {
  (void)attr;
  *word_of(lock) = 0;
  return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  __whittle_atomic_begin();
  check_alive(lock);
  __whittle_check(*word_of(lock) == 0, WHITTLE_LOCK_DISCIPLINE, "a reader-writer lock is destroyed while it is locked");
  *word_of(lock) = kDestroyed;
  __whittle_atomic_end();
  return 0;
}
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  __whittle_await32(word_of(lock), -1, kDestroyed, INT_MAX - 1);
  check_alive(lock);
  take_reading(lock);
  __whittle_atomic_end();
  return 0;
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  __whittle_await32(word_of(lock), -1, kDestroyed, 0);
  check_alive(lock);
  *word_of(lock) = writer();
  __whittle_atomic_end();
  return 0;
}
// A timed call by the writing thread itself fails at once, as in glibc.
static int try_read(pthread_rwlock_t* lock, int busy) {
  __whittle_atomic_begin();
  check_alive(lock);
  int error = *word_of(lock) >= 0 ? 0 : busy != EBUSY && *word_of(lock) == writer() ? EDEADLK : busy;
  if (!error) take_reading(lock);
  __whittle_atomic_end();
  return error;
}
static int try_write(pthread_rwlock_t* lock, int busy) {
  __whittle_atomic_begin();
  check_alive(lock);
  int error = *word_of(lock) == 0 ? 0 : busy != EBUSY && *word_of(lock) == writer() ? EDEADLK : busy;
  if (!error) *word_of(lock) = writer();
  __whittle_atomic_end();
  return error;
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) { return try_read(lock, EBUSY); }
int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) { return try_write(lock, EBUSY); }
int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const struct timespec* until) {
  return try_read(lock, valid_time(until) ? ETIMEDOUT : EINVAL);
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const struct timespec* until) {
  return try_write(lock, valid_time(until) ? ETIMEDOUT : EINVAL);
}
int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  __whittle_atomic_begin();
  check_alive(lock);
  int32_t state = *word_of(lock);
  int holds = state > 0 ? drop_reading(lock) : state == writer();
  __whittle_check(holds, WHITTLE_LOCK_DISCIPLINE, "a reader-writer lock is unlocked by a thread that does not hold it");
  *word_of(lock) = state > 0 ? state - 1 : 0;
  __whittle_atomic_end();
  return 0;
}
int pthread_rwlockattr_init(pthread_rwlockattr_t* attr) {
  *(int*)attr = 0;
  return 0;
}
int pthread_rwlockattr_destroy(pthread_rwlockattr_t* attr) {
  (void)attr;
  return 0;
}
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t* attr, int shared) {
  (void)attr;
  return shared == PTHREAD_PROCESS_PRIVATE || shared == PTHREAD_PROCESS_SHARED ? 0 : EINVAL;
}
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t* attr, int kind) {
  (void)attr;
  return kind >= PTHREAD_RWLOCK_PREFER_READER_NP && kind <= PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP ? 0 : EINVAL;
}

struct semaphore {
  int32_t value;
  int32_t destroyed;
  int64_t waiting;  // with pthread_cancel: who waits until the value changes
};
_Static_assert(sizeof(struct semaphore) <= sizeof(sem_t), "a semaphore fits");

static int32_t* value_of(sem_t* semaphore) {
  struct semaphore* s = (struct semaphore*)semaphore;
  __whittle_check(!s->destroyed, WHITTLE_LOCK_DISCIPLINE, "a destroyed semaphore is used");
  return &s->value;
}

int sem_init(sem_t* semaphore, int shared, unsigned value) {
  (void)shared;
  if (value > SEM_VALUE_MAX) {
    errno = EINVAL;
    return -1;
  }
  ((struct semaphore*)semaphore)->value = (int32_t)value;
  ((struct semaphore*)semaphore)->destroyed = 0;
  if (__whittle_uses("pthread_cancel")) ((struct semaphore*)semaphore)->waiting = 0;
  return 0;
}
// Waits for a value above 0 unless this thread is asked to end; in a region afterwards.
static void await_value(struct semaphore* s) {
  static int64_t leaving;
  int64_t bit = thread_bit();
  __whittle_act_on_cancel();
  __whittle_atomic_begin();
  while (s->value <= 0) {
    s->waiting |= bit;
    __whittle_begin_wait(&s->waiting, &leaving);
    __whittle_atomic_end();
    __whittle_await64(&s->waiting, bit, 0, 0);
    leaving &= ~bit;
    if (__whittle_end_wait()) {
      __whittle_atomic_end();
      __whittle_end_cancelled();
    }
  }
}
int sem_destroy(sem_t* semaphore) {
  __whittle_atomic_begin();
  *value_of(semaphore) = 1;  // whoever waits for it goes on and sees that it is gone
  ((struct semaphore*)semaphore)->destroyed = 1;
  if (__whittle_uses("pthread_cancel")) ((struct semaphore*)semaphore)->waiting = 0;  // who waits looks again
  __whittle_atomic_end();
  return 0;
}
int sem_wait(sem_t* semaphore) {
  if (__whittle_uses("pthread_cancel"))
    await_value((struct semaphore*)semaphore);
  else
    __whittle_await32(&((struct semaphore*)semaphore)->value, -1, 1, INT_MAX);
  --*value_of(semaphore);
  __whittle_atomic_end();
  return 0;
}
static int try_decrement(sem_t* semaphore, int busy) {
  __whittle_atomic_begin();
  int32_t* value = value_of(semaphore);
  int taken = *value > 0;
  if (taken) --*value;
  __whittle_atomic_end();
  if (taken) return 0;
  errno = busy;
  return -1;
}
int sem_trywait(sem_t* semaphore) { return try_decrement(semaphore, EAGAIN); }
int sem_timedwait(sem_t* semaphore, const struct timespec* until) {
  CANCELLATION_POINT();
  return try_decrement(semaphore, valid_time(until) ? ETIMEDOUT : EINVAL);
}
int sem_clockwait(sem_t* semaphore, clockid_t clock, const struct timespec* until) {
  CANCELLATION_POINT();
  (void)clock;
  return try_decrement(semaphore, valid_time(until) ? ETIMEDOUT : EINVAL);
}
int sem_post(sem_t* semaphore) {
  __whittle_atomic_begin();
  int32_t* value = value_of(semaphore);
  int full = *value == SEM_VALUE_MAX;
  if (!full) ++*value;
  if (__whittle_uses("pthread_cancel")) ((struct semaphore*)semaphore)->waiting = 0;  // who waits looks again
  __whittle_atomic_end();
  if (!full) return 0;
  errno = EOVERFLOW;
  return -1;
}
int sem_getvalue(sem_t* semaphore, int* value) {
  __whittle_atomic_begin();
  int32_t now = *value_of(semaphore);
  __whittle_atomic_end();
  *value = now;
  return 0;
}
sem_t* sem_open(const char* name, int flags, ...) {
  (void)name, (void)flags;
  __whittle_unsupported("sem_open");
}
