// pthread_create, join, detach, exit, self. A pthread_t is the slot of the thread plus one, so none is zero.
// Creating a thread never fails; having more than WHITTLE_MAX_THREADS is refused by name.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

#include "threads.h"

// A thread has a slot from its creation until it is joined (or, if it is detached, ends). A joiner waits until the
// state is not kRunning: one Await, as the other states are below it.
enum { kFree = 0, kDetached = 1, kFinished = 2, kRunning = 3 };

static int32_t slot_state[WHITTLE_MAX_THREADS] = {kRunning};  // main has the first
// Is the state not kFree? Creating a thread looks at this only: so it has nothing to do with the end of another one that
// is still to be joined, and no engine needs to try both orders of the two.
static char slot_taken[WHITTLE_MAX_THREADS] = {1};
static void* slot_result[WHITTLE_MAX_THREADS];
static _Thread_local int32_t own_slot;
void (*__whittle_at_thread_end)(void);

void __whittle_thread_finish(void* result) {
  int slot = own_slot;
  __whittle_atomic_begin();
  void (*cleanup)(void) = __whittle_at_thread_end;
  if (cleanup) {
    __whittle_atomic_end();
    cleanup();
    __whittle_atomic_begin();
  }
  if (slot_state[slot] == kRunning) {
    slot_result[slot] = result;
    slot_state[slot] = kFinished;
  } else {
    slot_state[slot] = kFree;
    slot_taken[slot] = 0;
  }
  __whittle_atomic_end();
  __whittle_thread_exit();
}

// A thread is started with two values. Functions have addresses below 2^20 (src/program/program.h), so its slot travels
// above the address of its function: telling it in any other way would be a step of its own.
#define SLOT_SHIFT 20

void* __whittle_thread_enter(void* packed) {
  own_slot = (int32_t)((uintptr_t)packed >> SLOT_SHIFT);
  return (void*)((uintptr_t)packed & ((UINT32_C(1) << SLOT_SHIFT) - 1));
}

static void run(void* packed, void* argument) {
  void* (*routine)(void*) = (void* (*)(void*))__whittle_thread_enter(packed);
  __whittle_thread_finish(routine(argument));
}

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
  __whittle_check((uintptr_t)routine >> SLOT_SHIFT == 0, WHITTLE_VALID_DEREF,
                  "a thread is started at an address where no function is");
  __whittle_atomic_begin();
  uintptr_t slot = 1;
  while (slot < WHITTLE_MAX_THREADS && slot_taken[slot]) slot++;
  if (slot == WHITTLE_MAX_THREADS) __whittle_unsupported("more than 64 threads that are not joined");
  slot_taken[slot] = 1;
  slot_state[slot] = detached ? kDetached : kRunning;
  __whittle_spawn(trampoline, (void*)((uintptr_t)routine | slot << SLOT_SHIFT), argument);
  __whittle_atomic_end();
  *thread = (pthread_t)slot + 1;  // POSIX: the new thread may run before
  return 0;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attr, void* (*routine)(void*), void* argument) {
  int detached = attr && ((const struct attributes*)attr)->detach_state == PTHREAD_CREATE_DETACHED;
  return __whittle_thread_create(thread, detached, run, (void*)routine, argument);
}

static int valid(pthread_t thread) { return thread > 0 && thread <= WHITTLE_MAX_THREADS; }

int pthread_join(pthread_t thread, void** result) {
  if (!valid(thread)) return ESRCH;
  int slot = (int)thread - 1;
  if (slot == own_slot) return EDEADLK;
  __whittle_await32(&slot_state[slot], -1, kFree, kFinished);
  int error = slot_state[slot] == kFinished ? 0 : slot_state[slot] == kDetached ? EINVAL : ESRCH;
  void* value = 0;
  if (!error) {
    slot_state[slot] = kFree;
    slot_taken[slot] = 0;
    value = slot_result[slot];
    slot_result[slot] = 0;  // equal states stay equal
  }
  __whittle_atomic_end();
  if (!error && result) *result = value;
  return error;
}

int pthread_tryjoin_np(pthread_t thread, void** result) {
  if (!valid(thread)) return ESRCH;
  __whittle_atomic_begin();
  int busy = slot_state[thread - 1] == kRunning;
  __whittle_atomic_end();
  return busy ? EBUSY : pthread_join(thread, result);
}

int pthread_timedjoin_np(pthread_t thread, void** result, const struct timespec* until) {
  (void)until;
  int error = pthread_tryjoin_np(thread, result);
  return error == EBUSY ? ETIMEDOUT : error;
}

int pthread_detach(pthread_t thread) {
  if (!valid(thread)) return ESRCH;
  int slot = (int)thread - 1, error = 0;
  __whittle_atomic_begin();
  if (slot_state[slot] == kRunning)
    slot_state[slot] = kDetached;
  else if (slot_state[slot] == kFinished)
    slot_state[slot] = kFree, slot_taken[slot] = 0;
  else
    error = slot_state[slot] == kDetached ? EINVAL : ESRCH;
  __whittle_atomic_end();
  return error;
}

void pthread_exit(void* result) { __whittle_thread_finish(result); }

pthread_t pthread_self(void) { return (pthread_t)own_slot + 1; }
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
  return !valid(thread) ? ESRCH : 0;
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
