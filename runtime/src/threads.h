// What the models of threads share: how a lock says who holds it, and what happens when a thread ends.
#ifndef WHITTLE_THREADS_H
#define WHITTLE_THREADS_H

#include <time.h>

#include "primitives.h"

// Sets of threads are 64-bit masks, so there are at most so many; pthread_create beyond that is refused by name.
#define WHITTLE_MAX_THREADS 64

static inline int64_t thread_bit(void) { return (int64_t)(UINT64_C(1) << __whittle_self()); }

// The word by which locks and a pthread_t name the thread with this number. The machine gives the number of an ended
// thread to a new one only if this word (its sign apart) is nowhere in memory or registers (thread_word in
// src/exec/machine_impl.h has the same formula), so it never names two threads. No two of these words are subsets of each other as bit sets: one
// Await with the complement of a word as its mask waits for "free or held by me", and relocking needs no second step.
static inline int32_t thread_word(int number) {
  int32_t id = number + 1;
  return id | ((~id & 0x7fff) << 16);
}
static inline int32_t owner_word(void) { return thread_word(__whittle_self()); }

// Looked at by timed calls that cannot succeed at once.
static inline int valid_time(const struct timespec* time) { return time->tv_nsec >= 0 && time->tv_nsec < 1000000000; }

int __whittle_mutex_release(void* mutex);  // inside a region; 0 or EPERM
void __whittle_mutex_owner_ends(void);     // inside a region: robust mutexes that this thread holds

// Cancelling (cancel.c). In a region: has this thread been asked to end, and may it? Outside: it ends.
_Bool __whittle_is_cancelled(void);
void __whittle_end_cancelled(void) __attribute__((noreturn));
void __whittle_act_on_cancel(void);
void __whittle_may_act_on_cancel(void);
// In a region: this thread has put its bit into `waiting`; a request moves it to `leaving`.
void __whittle_begin_wait(int64_t* waiting, int64_t* leaving);
_Bool __whittle_end_wait(void);             // in a region: is it to end?
void __whittle_forget_cancel(int number);   // in a region: of a thread that has this number from now on
int __whittle_thread_number(unsigned long thread);  // negative: none of ours
_Bool __whittle_thread_is_alive(int number);        // in a region
#define CANCELLATION_POINT() \
  do { \
    if (__whittle_uses("pthread_cancel")) __whittle_act_on_cancel(); \
  } while (0)
// Where POSIX leaves it open whether it is one.
#define POSSIBLE_CANCELLATION_POINT() \
  do { \
    if (__whittle_uses("pthread_cancel")) __whittle_may_act_on_cancel(); \
  } while (0)

// A thread that runs trampoline(routine, argument), which must end in __whittle_thread_finish.
int __whittle_thread_create(unsigned long* thread, int detached, void (*trampoline)(void*, void*), void* routine,
                            void* argument);
void __whittle_thread_finish(void* result) __attribute__((noreturn));
_Bool __whittle_is_only_thread(void);
extern _Thread_local uint64_t __whittle_blocked_signals;  // of this thread; bit n - 1: signal n
void __whittle_restore_signals(uint64_t mask);
extern void (*__whittle_at_thread_end)(void);  // destructors of thread-specific data, once a key with one exists
extern void (*__whittle_at_pthread_exit)(void* result);  // jumps to the handlers of pthread_cleanup_push, if there are any
extern void (*__whittle_at_exit)(void);        // runs the handlers of atexit(), once there is one

#endif
