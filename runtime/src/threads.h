// What the models of threads share: the number of a thread, and how a lock says who holds it.
#ifndef WHITTLE_THREADS_H
#define WHITTLE_THREADS_H

#include "primitives.h"

// Sets of threads are 64-bit masks, so there are at most so many; pthread_create beyond that is refused by name.
#define WHITTLE_MAX_THREADS 64

static inline int64_t thread_bit(void) { return (int64_t)(UINT64_C(1) << __whittle_self()); }

// The word in a lock held by this thread. No two of these words are subsets of each other as bit sets, so one Await
// with the complement of this word as its mask waits for "free or held by me", and relocking needs no second step.
static inline int32_t owner_word(void) {
  int32_t id = __whittle_self() + 1;
  return id | ((~id & 0x7fff) << 16);
}

int __whittle_mutex_release(void* mutex);  // inside a region; 0 or EPERM
// A thread that runs trampoline(routine, argument), which must end in __whittle_thread_finish. state: 0, or 1 if
// detached.
int __whittle_thread_create(unsigned long* thread, int detached, void (*trampoline)(void*, void*), void* routine,
                            void* argument);
void* __whittle_thread_enter(void* packed);
void __whittle_thread_finish(void* result) __attribute__((noreturn));
extern void (*__whittle_at_thread_end)(void);  // destructors of thread-specific data, once a key with one exists

#endif
