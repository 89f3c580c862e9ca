// pthread_create, join, detach, exit, self. A pthread_t is the number of the thread plus one, so none is zero.
// Creating a thread never fails; creating more than WHITTLE_MAX_THREADS is refused by name.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

#include "threads.h"

enum { kRunning = 0, kDetached = 1, kFinished = 2, kJoined = 3 };

static int32_t thread_state[WHITTLE_MAX_THREADS];  // of thread i; kRunning for those that were never made, too
static void* thread_result[WHITTLE_MAX_THREADS];
void (*__whittle_at_thread_end)(void);

void __whittle_thread_finish(void* result) {
  int self = __whittle_self();
  __whittle_atomic_begin();
  void (*cleanup)(void) = __whittle_at_thread_end;
  if (cleanup) {
    __whittle_atomic_end();
    cleanup();
    __whittle_atomic_begin();
  }
  if (thread_state[self] == kRunning) {
    thread_result[self] = result;
    thread_state[self] = kFinished;
  }
  __whittle_atomic_end();
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

int __whittle_thread_create(pthread_t* thread, int state, void (*trampoline)(void*, void*), void* routine,
                            void* argument) {
  __whittle_atomic_begin();
  int number = __whittle_spawn(trampoline, routine, argument);
  if (number >= WHITTLE_MAX_THREADS) __whittle_unsupported("more than 64 threads");
  thread_state[number] = state;
  *thread = (pthread_t)number + 1;
  __whittle_atomic_end();
  return 0;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attr, void* (*routine)(void*), void* argument) {
  int detached = attr && ((const struct attributes*)attr)->detach_state == PTHREAD_CREATE_DETACHED;
  return __whittle_thread_create(thread, detached ? kDetached : kRunning, run, (void*)routine, argument);
}

int pthread_join(pthread_t thread, void** result) {
  int number = (int)thread - 1;
  if (thread == 0 || thread > WHITTLE_MAX_THREADS) return ESRCH;
  if (number == __whittle_self()) return EDEADLK;
  // Not kRunning: a detached thread is an error at once, a finished one has a result.
  __whittle_await32(&thread_state[number], -1, kDetached, kJoined);
  int error = 0;
  if (thread_state[number] == kFinished) {
    thread_state[number] = kJoined;
    if (result) *result = thread_result[number];
  } else {
    error = thread_state[number] == kJoined ? ESRCH : EINVAL;
  }
  __whittle_atomic_end();
  return error;
}

int pthread_tryjoin_np(pthread_t thread, void** result) {
  if (thread == 0 || thread > WHITTLE_MAX_THREADS) return ESRCH;
  __whittle_atomic_begin();
  int busy = thread_state[thread - 1] == kRunning;
  __whittle_atomic_end();
  return busy ? EBUSY : pthread_join(thread, result);
}

int pthread_timedjoin_np(pthread_t thread, void** result, const struct timespec* until) {
  (void)until;
  int error = pthread_tryjoin_np(thread, result);
  return error == EBUSY ? ETIMEDOUT : error;
}

int pthread_detach(pthread_t thread) {
  if (thread == 0 || thread > WHITTLE_MAX_THREADS) return ESRCH;
  int number = (int)thread - 1;
  int error = 0;
  __whittle_atomic_begin();
  if (thread_state[number] == kRunning)
    thread_state[number] = kDetached;
  else if (thread_state[number] == kFinished)
    thread_state[number] = kJoined;
  else
    error = thread_state[number] == kDetached ? EINVAL : ESRCH;
  __whittle_atomic_end();
  return error;
}

void pthread_exit(void* result) { __whittle_thread_finish(result); }

pthread_t pthread_self(void) { return (pthread_t)__whittle_self() + 1; }
int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

int pthread_cancel(pthread_t thread) {
  (void)thread;
  __whittle_unsupported("pthread_cancel");
}
void pthread_testcancel(void) {}
int pthread_setcancelstate(int state, int* old) {
  if (old) *old = PTHREAD_CANCEL_ENABLE;
  (void)state;
  return 0;
}
int pthread_setcanceltype(int type, int* old) {
  if (old) *old = PTHREAD_CANCEL_DEFERRED;
  (void)type;
  return 0;
}
int pthread_kill(pthread_t thread, int signal) {
  if (signal != 0) __whittle_unsupported("pthread_kill");
  return thread == 0 || thread > WHITTLE_MAX_THREADS ? ESRCH : 0;
}
int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) {
  (void)how;
  (void)set;
  if (old) __builtin_memset(old, 0, sizeof *old);
  return 0;
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
