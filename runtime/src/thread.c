// pthread_create, join, detach, exit, self. A pthread_t is the word of the thread (threads.h): no other thread has the
// same one as long as the program keeps it. Creating a thread never fails; having more than WHITTLE_MAX_THREADS that are
// alive or remembered is refused by name.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "threads.h"

// By number of the thread. A joiner waits until the state is not kRunning: one Await, as the other states are below it.
// A thread is alive while it is kRunning or kDetached.
enum { kGone = 0, kDetached = 1, kFinished = 2, kRunning = 3 };

static int32_t state_of[WHITTLE_MAX_THREADS] = {kRunning};  // main
static void* result_of[WHITTLE_MAX_THREADS];
void (*__whittle_at_thread_end)(void);

// The loop has a fixed number of rounds: whether a thread ends must not depend on others (short_waits.cpp).
static int alone(void) {
  int others = 0;
  for (int i = 0; i < WHITTLE_MAX_THREADS; i++) others |= state_of[i] == kRunning || state_of[i] == kDetached;
  return !others;
}

_Bool __whittle_is_only_thread(void) {
  int alive = 0;
  __whittle_atomic_begin();
  for (int i = 0; i < WHITTLE_MAX_THREADS; i++) alive += state_of[i] == kRunning || state_of[i] == kDetached;
  __whittle_atomic_end();
  return alive == 1;
}

// With pthread_cancel: who waits for the end of a thread.
static int64_t joiners[WHITTLE_MAX_THREADS], joiners_leaving;

void __whittle_thread_finish(void* result) {
  int me = __whittle_self();
  __whittle_atomic_begin();
  void (*cleanup)(void) = __whittle_at_thread_end;
  if (cleanup) {
    __whittle_atomic_end();
    cleanup();
    __whittle_atomic_begin();
  }
  if (state_of[me] == kRunning) {
    result_of[me] = result;
    state_of[me] = kFinished;
  } else {
    state_of[me] = kGone;
  }
  if (__whittle_uses("pthread_cancel")) joiners[me] = 0;
  if (__whittle_uses("pthread_mutexattr_setrobust")) __whittle_mutex_owner_ends();
  // The end of the last thread is the end of the program, as by exit(0). Only handlers can tell, so that without them
  // ends of threads have nothing to do with each other.
  int last = __whittle_at_exit && alone();
  __whittle_atomic_end();
  if (last) exit(0);
  __whittle_thread_exit();
}

static void run(void* routine, void* argument) { __whittle_thread_finish(((void* (*)(void*))routine)(argument)); }

struct attributes {
  int detach_state;
  int scope;
  int policy;
  int inherit;
  struct sched_param parameter;
  size_t stack_size;
  size_t guard_size;
};
_Static_assert(sizeof(struct attributes) <= sizeof(pthread_attr_t), "attributes fit");

int __whittle_thread_create(pthread_t* thread, int detached, void (*trampoline)(void*, void*), void* routine,
                            void* argument) {
  __whittle_atomic_begin();
  int number = __whittle_spawn(trampoline, routine, argument);
  state_of[number] = detached ? kDetached : kRunning;
  if (__whittle_uses("pthread_cancel")) __whittle_forget_cancel(number);
  pthread_t name = (pthread_t)thread_word(number);  // from here on, it is kept
  __whittle_atomic_end();
  *thread = name;  // POSIX: the new thread may run before
  return 0;
}

// Where a null pointer means something, what is accessed is never null, not even by the text: analyses would have to
// take it for any address.
static const struct attributes defaults = {.detach_state = PTHREAD_CREATE_JOINABLE};

int pthread_create(pthread_t* thread, const pthread_attr_t* attr, void* (*routine)(void*), void* argument) {
  const struct attributes* given = attr ? (const struct attributes*)attr : &defaults;
  return __whittle_thread_create(thread, given->detach_state == PTHREAD_CREATE_DETACHED, run, (void*)routine, argument);
}

static int number_of(pthread_t thread) {
  int number = (int)(thread & 0xffff) - 1;
  int ours = number >= 0 && number < WHITTLE_MAX_THREADS && thread == (pthread_t)thread_word(number);
  return ours ? number : -1;
}

int __whittle_thread_number(pthread_t thread) { return number_of(thread); }
_Bool __whittle_thread_is_alive(int number) { return state_of[number] == kRunning || state_of[number] == kDetached; }

// Waits for the end of a thread unless this one is asked to end; in a region afterwards.
static void await_end(int number) {
  int64_t bit = thread_bit();
  __whittle_atomic_begin();
  while (state_of[number] == kRunning) {
    joiners[number] |= bit;
    __whittle_begin_wait(&joiners[number], &joiners_leaving);
    __whittle_atomic_end();
    __whittle_await64(&joiners[number], bit, 0, 0);
    joiners_leaving &= ~bit;
    if (__whittle_end_wait()) {
      __whittle_atomic_end();
      __whittle_end_cancelled();
    }
  }
}

// POSIX leaves open what joining does if there is no such thread: what it returns here is what glibc does at best.
int pthread_join(pthread_t thread, void** result) {
  int number = number_of(thread);
  __whittle_check(number >= 0, WHITTLE_LOCK_DISCIPLINE, "what is joined is no thread");
  if (number < 0) return ESRCH;
  if (number == __whittle_self()) return EDEADLK;
  if (__whittle_uses("pthread_cancel"))
    await_end(number);
  else
    __whittle_await32(&state_of[number], -1, kGone, kFinished);
  __whittle_check(state_of[number] != kGone, WHITTLE_LOCK_DISCIPLINE, "a thread is joined twice, or after it was detached and ended");
  __whittle_check(state_of[number] != kDetached, WHITTLE_LOCK_DISCIPLINE, "a detached thread is joined");
  int error = state_of[number] == kFinished ? 0 : state_of[number] == kDetached ? EINVAL : ESRCH;
  void* value = 0;
  if (!error) {
    state_of[number] = kGone;
    value = result_of[number];
    result_of[number] = 0;  // equal states stay equal
  }
  __whittle_atomic_end();
  if (!error && result) *result = value;
  return error;
}

int pthread_tryjoin_np(pthread_t thread, void** result) {
  int number = number_of(thread);
  if (number < 0) return ESRCH;
  __whittle_atomic_begin();
  int busy = state_of[number] == kRunning;
  __whittle_atomic_end();
  return busy ? EBUSY : pthread_join(thread, result);
}

int pthread_timedjoin_np(pthread_t thread, void** result, const struct timespec* until) {
  (void)until;
  int error = pthread_tryjoin_np(thread, result);
  return error == EBUSY ? ETIMEDOUT : error;
}

int pthread_detach(pthread_t thread) {
  int number = number_of(thread), error = 0;
  __whittle_check(number >= 0, WHITTLE_LOCK_DISCIPLINE, "what is detached is no thread");
  if (number < 0) return ESRCH;
  __whittle_atomic_begin();
  if (state_of[number] == kRunning)
    state_of[number] = kDetached;
  else if (state_of[number] == kFinished)
    state_of[number] = kGone;
  else
    error = state_of[number] == kDetached ? EINVAL : ESRCH;
  __whittle_check(error == 0, WHITTLE_LOCK_DISCIPLINE, "a thread is detached that was joined or detached before");
  __whittle_atomic_end();
  return error;
}

void (*__whittle_at_pthread_exit)(void* result);
void pthread_exit(void* result) {
  __whittle_atomic_begin();
  void (*cleanups)(void*) = __whittle_at_pthread_exit;
  __whittle_atomic_end();
  if (cleanups) cleanups(result);
  __whittle_thread_finish(result);
}

pthread_t pthread_self(void) { return (pthread_t)owner_word(); }
int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

int pthread_kill(pthread_t thread, int signal) {
  if (signal != 0) __whittle_unsupported("pthread_kill");
  return number_of(thread) < 0 ? ESRCH : 0;
}
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
  (void)prepare;
  (void)parent;
  (void)child;
  return 0;
}

// Attributes. Only the detach state means anything here; the others are kept so that they can be read back.
int pthread_attr_init(pthread_attr_t* attr) {
  struct attributes* a = (struct attributes*)attr;
  a->detach_state = PTHREAD_CREATE_JOINABLE;
  a->scope = PTHREAD_SCOPE_SYSTEM;
  a->policy = SCHED_OTHER;
  a->inherit = PTHREAD_INHERIT_SCHED;
  a->parameter.sched_priority = 0;
  a->stack_size = 8 << 20;
  a->guard_size = 4096;
  return 0;
}
int pthread_attr_destroy(pthread_attr_t* attr) {
  (void)attr;
  return 0;
}
#define ATTRIBUTE(name, type, field, valid)                             \
  int pthread_attr_set##name(pthread_attr_t* attr, type value) {        \
    if (!(valid)) return EINVAL;                                        \
    ((struct attributes*)attr)->field = value;                          \
    return 0;                                                           \
  }                                                                     \
  int pthread_attr_get##name(const pthread_attr_t* attr, type* value) { \
    *value = ((const struct attributes*)attr)->field;                   \
    return 0;                                                           \
  }
ATTRIBUTE(detachstate, int, detach_state, value == PTHREAD_CREATE_JOINABLE || value == PTHREAD_CREATE_DETACHED)
ATTRIBUTE(scope, int, scope, value == PTHREAD_SCOPE_SYSTEM || value == PTHREAD_SCOPE_PROCESS)
ATTRIBUTE(schedpolicy, int, policy, value >= SCHED_OTHER && value <= SCHED_RR)
ATTRIBUTE(inheritsched, int, inherit, value == PTHREAD_INHERIT_SCHED || value == PTHREAD_EXPLICIT_SCHED)
ATTRIBUTE(stacksize, size_t, stack_size, value >= 16384)
ATTRIBUTE(guardsize, size_t, guard_size, 1)
int pthread_attr_setschedparam(pthread_attr_t* attr, const struct sched_param* value) {
  ((struct attributes*)attr)->parameter = *value;
  return 0;
}
int pthread_attr_getschedparam(const pthread_attr_t* attr, struct sched_param* value) {
  *value = ((const struct attributes*)attr)->parameter;
  return 0;
}

// Priorities and names have no meaning in a model in which every schedule is possible.
int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param* value) {
  (void)thread, (void)policy, (void)value;
  return 0;
}
int pthread_getschedparam(pthread_t thread, int* policy, struct sched_param* value) {
  (void)thread;
  *policy = SCHED_OTHER;
  value->sched_priority = 0;
  return 0;
}
int pthread_setschedprio(pthread_t thread, int priority) {
  (void)thread, (void)priority;
  return 0;
}
int pthread_setname_np(pthread_t thread, const char* name) {
  (void)thread;
  return strlen(name) > 15 ? ERANGE : 0;
}
int pthread_setconcurrency(int level) { return level < 0 ? EINVAL : 0; }
int pthread_getconcurrency(void) { return 0; }
int sched_yield(void) {
  __whittle_yield();
  return 0;
}
int pthread_yield_model(void) __asm__("pthread_yield");
int pthread_yield_model(void) {
  __whittle_yield();
  return 0;
}
int sched_get_priority_max(int policy) { return policy == SCHED_OTHER ? 0 : 99; }
int sched_get_priority_min(int policy) { return policy == SCHED_OTHER ? 0 : 1; }
