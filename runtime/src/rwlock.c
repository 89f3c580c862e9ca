// Reader-writer locks and POSIX semaphores, one word each.
// Of an rwlock: 0 free, n > 0 held by n readers, negative: minus (number of the writing thread + 1).
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

#include "threads.h"

static int32_t* word_of(pthread_rwlock_t* lock) { return (int32_t*)lock; }
static int32_t writer(void) { return -(__whittle_self() + 1); }

int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attr) {
  (void)attr;
  *word_of(lock) = 0;
  return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  __whittle_atomic_begin();
  __whittle_check(*word_of(lock) == 0, WHITTLE_LOCK_DISCIPLINE, "a reader-writer lock is destroyed while it is locked");
  __whittle_atomic_end();
  return 0;
}
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  __whittle_await32(word_of(lock), -1, 0, INT_MAX - 1);
  ++*word_of(lock);
  __whittle_atomic_end();
  return 0;
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  __whittle_await32(word_of(lock), -1, 0, 0);
  *word_of(lock) = writer();
  __whittle_atomic_end();
  return 0;
}
static int try_read(pthread_rwlock_t* lock, int busy) {
  __whittle_atomic_begin();
  int error = *word_of(lock) < 0 ? busy : 0;
  if (!error) ++*word_of(lock);
  __whittle_atomic_end();
  return error;
}
static int try_write(pthread_rwlock_t* lock, int busy) {
  __whittle_atomic_begin();
  int error = *word_of(lock) != 0 ? busy : 0;
  if (!error) *word_of(lock) = writer();
  __whittle_atomic_end();
  return error;
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) { return try_read(lock, EBUSY); }
int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) { return try_write(lock, EBUSY); }
int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const struct timespec* until) {
  (void)until;
  return try_read(lock, ETIMEDOUT);
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const struct timespec* until) {
  (void)until;
  return try_write(lock, ETIMEDOUT);
}
int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  __whittle_atomic_begin();
  int32_t state = *word_of(lock);
  __whittle_check(state > 0 || state == writer(), WHITTLE_LOCK_DISCIPLINE,
                  "a reader-writer lock is unlocked by a thread that does not hold it");
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
  (void)attr, (void)kind;
  return 0;
}

static int32_t* value_of(sem_t* semaphore) { return (int32_t*)semaphore; }

int sem_init(sem_t* semaphore, int shared, unsigned value) {
  (void)shared;
  if (value > SEM_VALUE_MAX) {
    errno = EINVAL;
    return -1;
  }
  *value_of(semaphore) = (int32_t)value;
  return 0;
}
int sem_destroy(sem_t* semaphore) {
  __whittle_atomic_begin();
  (void)*(volatile int32_t*)semaphore;  // a semaphore that is gone is an invalid access
  __whittle_atomic_end();
  return 0;
}
int sem_wait(sem_t* semaphore) {
  __whittle_await32(value_of(semaphore), -1, 1, INT_MAX);
  --*value_of(semaphore);
  __whittle_atomic_end();
  return 0;
}
static int try_decrement(sem_t* semaphore, int busy) {
  __whittle_atomic_begin();
  int taken = *value_of(semaphore) > 0;
  if (taken) --*value_of(semaphore);
  __whittle_atomic_end();
  if (taken) return 0;
  errno = busy;
  return -1;
}
int sem_trywait(sem_t* semaphore) { return try_decrement(semaphore, EAGAIN); }
int sem_timedwait(sem_t* semaphore, const struct timespec* until) {
  (void)until;
  return try_decrement(semaphore, ETIMEDOUT);
}
int sem_clockwait(sem_t* semaphore, clockid_t clock, const struct timespec* until) {
  (void)clock, (void)until;
  return try_decrement(semaphore, ETIMEDOUT);
}
int sem_post(sem_t* semaphore) {
  __whittle_atomic_begin();
  int full = *value_of(semaphore) == SEM_VALUE_MAX;
  if (!full) ++*value_of(semaphore);
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
