// Runs a C program with threads natively under a given schedule. Every source of the program is compiled with this file
// in front of it, and linked with schedule.c:
//
//   clang -include runtime/native/schedule.h program.c runtime/native/schedule.c -lpthread
//   WHITTLE_SCHEDULE=1,0,2:3 ./a.out
//
// One thread runs at a time. It may hand over to another one just before each thread call and each atomic operation
// named below, and where a new thread begins; between two such points it is alone. At each of them (while several threads
// are alive) one entry of WHITTLE_SCHEDULE is used up: the thread that goes on, numbered in the order of their start, main
// is 0; `2:3` is 2,2,2. Entries of threads that are not there or could not go on are passed over. After the last entry a
// thread goes on until it waits, and then the next one that can.
//
// A call that waits does so without holding up the others. If all wait, the program ends with "deadlock" on stderr and
// exit status WHITTLE_DEADLOCK. A signal wakes the thread with the lowest number. Timed calls time out if they cannot go
// on at once. Weak compare-and-exchange does not fail for no reason.
//
// Not seen: operators on _Atomic variables (x++), fences, signals, and waiting in calls that are not named here. Those
// happen between two points.
#ifndef WHITTLE_SCHEDULE_H
#define WHITTLE_SCHEDULE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

#define WHITTLE_DEADLOCK 86

void whittle_point(void);  // another thread may go on here

#define WHITTLE_THREAD_CALLS(call)                                                                                     \
  call(int, pthread_create, (pthread_t * thread, const pthread_attr_t* attr, void* (*routine)(void*), void* argument)) \
  call(int, pthread_join, (pthread_t thread, void** result))                                                           \
  call(int, pthread_mutex_lock, (pthread_mutex_t * m))                                                                 \
  call(int, pthread_mutex_trylock, (pthread_mutex_t * m))                                                              \
  call(int, pthread_mutex_timedlock, (pthread_mutex_t * m, const struct timespec* until))                              \
  call(int, pthread_mutex_unlock, (pthread_mutex_t * m))                                                               \
  call(int, pthread_rwlock_rdlock, (pthread_rwlock_t * lock))                                                          \
  call(int, pthread_rwlock_wrlock, (pthread_rwlock_t * lock))                                                          \
  call(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t * lock))                                                       \
  call(int, pthread_rwlock_trywrlock, (pthread_rwlock_t * lock))                                                       \
  call(int, pthread_rwlock_unlock, (pthread_rwlock_t * lock))                                                          \
  call(int, pthread_spin_lock, (pthread_spinlock_t * lock))                                                            \
  call(int, pthread_spin_trylock, (pthread_spinlock_t * lock))                                                         \
  call(int, pthread_spin_unlock, (pthread_spinlock_t * lock))                                                          \
  call(int, pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t * m))                                              \
  call(int, pthread_cond_timedwait, (pthread_cond_t * c, pthread_mutex_t * m, const struct timespec* until))           \
  call(int, pthread_cond_signal, (pthread_cond_t * c))                                                                 \
  call(int, pthread_cond_broadcast, (pthread_cond_t * c))                                                              \
  call(int, pthread_barrier_init, (pthread_barrier_t * b, const pthread_barrierattr_t* attr, unsigned count))          \
  call(int, pthread_barrier_wait, (pthread_barrier_t * b))                                                             \
  call(int, pthread_once, (pthread_once_t * control, void (*routine)(void)))                                           \
  call(int, sem_wait, (sem_t * s))                                                                                     \
  call(int, sem_trywait, (sem_t * s))                                                                                  \
  call(int, sem_timedwait, (sem_t * s, const struct timespec* until))                                                  \
  call(int, sem_post, (sem_t * s))                                                                                     \
  call(int, sched_yield, (void))                                                                                       \
  call(int, thrd_create, (thrd_t * thread, thrd_start_t routine, void* argument))                                      \
  call(int, thrd_join, (thrd_t thread, int* result))                                                                   \
  call(int, mtx_lock, (mtx_t * m))                                                                                     \
  call(int, mtx_trylock, (mtx_t * m))                                                                                  \
  call(int, mtx_unlock, (mtx_t * m))                                                                                   \
  call(int, cnd_wait, (cnd_t * c, mtx_t * m))                                                                          \
  call(int, cnd_signal, (cnd_t * c))                                                                                   \
  call(int, cnd_broadcast, (cnd_t * c))                                                                                \
  call(void, call_once, (once_flag * flag, void (*routine)(void)))                                                     \
  call(void, thrd_yield, (void))

#define WHITTLE_DECLARE(type, name, parameters) type whittle_##name parameters;
WHITTLE_THREAD_CALLS(WHITTLE_DECLARE)
void whittle_pthread_exit(void* result) __attribute__((noreturn));
void whittle_thrd_exit(int result) __attribute__((noreturn));
void whittle_exit(int status) __attribute__((noreturn));

#ifndef WHITTLE_SCHEDULE_IMPLEMENTATION
#define main whittle_main

#define pthread_create whittle_pthread_create
#define pthread_join whittle_pthread_join
#define pthread_exit whittle_pthread_exit
#define pthread_mutex_lock whittle_pthread_mutex_lock
#define pthread_mutex_trylock whittle_pthread_mutex_trylock
#define pthread_mutex_timedlock whittle_pthread_mutex_timedlock
#define pthread_mutex_unlock whittle_pthread_mutex_unlock
#define pthread_rwlock_rdlock whittle_pthread_rwlock_rdlock
#define pthread_rwlock_wrlock whittle_pthread_rwlock_wrlock
#define pthread_rwlock_tryrdlock whittle_pthread_rwlock_tryrdlock
#define pthread_rwlock_trywrlock whittle_pthread_rwlock_trywrlock
#define pthread_rwlock_unlock whittle_pthread_rwlock_unlock
#define pthread_spin_lock whittle_pthread_spin_lock
#define pthread_spin_trylock whittle_pthread_spin_trylock
#define pthread_spin_unlock whittle_pthread_spin_unlock
#define pthread_cond_wait whittle_pthread_cond_wait
#define pthread_cond_timedwait whittle_pthread_cond_timedwait
#define pthread_cond_signal whittle_pthread_cond_signal
#define pthread_cond_broadcast whittle_pthread_cond_broadcast
#define pthread_barrier_init whittle_pthread_barrier_init
#define pthread_barrier_wait whittle_pthread_barrier_wait
#define pthread_once whittle_pthread_once
#define sem_wait whittle_sem_wait
#define sem_trywait whittle_sem_trywait
#define sem_timedwait whittle_sem_timedwait
#define sem_post whittle_sem_post
#define sched_yield whittle_sched_yield
#define thrd_create whittle_thrd_create
#define thrd_join whittle_thrd_join
#define thrd_exit whittle_thrd_exit
#define thrd_yield whittle_thrd_yield
#define mtx_lock whittle_mtx_lock
#define mtx_trylock whittle_mtx_trylock
#define mtx_unlock whittle_mtx_unlock
#define cnd_wait whittle_cnd_wait
#define cnd_signal whittle_cnd_signal
#define cnd_broadcast whittle_cnd_broadcast
#define call_once whittle_call_once
#define exit whittle_exit

// Atomic operations: operands first, then the point, then the operation.
#define WHITTLE_READ(p, operation)       \
  ({                                     \
    __auto_type whittle_p = (p);         \
    whittle_point();                     \
    operation;                           \
  })
#define WHITTLE_CHANGE(p, v, operation)     \
  ({                                        \
    __auto_type whittle_p = (p);            \
    __typeof__(v) whittle_v = (v);          \
    whittle_point();                        \
    operation;                              \
  })
#define WHITTLE_SWAP(p, e, v, operation)    \
  ({                                        \
    __auto_type whittle_p = (p);            \
    __auto_type whittle_e = (e);            \
    __typeof__(v) whittle_v = (v);          \
    whittle_point();                        \
    operation;                              \
  })

#undef atomic_load
#undef atomic_load_explicit
#undef atomic_store
#undef atomic_store_explicit
#undef atomic_exchange
#undef atomic_exchange_explicit
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_weak
#undef atomic_compare_exchange_weak_explicit
#undef atomic_fetch_add
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub
#undef atomic_fetch_sub_explicit
#undef atomic_fetch_or
#undef atomic_fetch_or_explicit
#undef atomic_fetch_and
#undef atomic_fetch_and_explicit
#undef atomic_fetch_xor
#undef atomic_fetch_xor_explicit
#undef atomic_flag_test_and_set
#undef atomic_flag_test_and_set_explicit
#undef atomic_flag_clear
#undef atomic_flag_clear_explicit
#define atomic_load_explicit(p, o) WHITTLE_READ(p, __c11_atomic_load(whittle_p, o))
#define atomic_load(p) atomic_load_explicit(p, __ATOMIC_SEQ_CST)
#define atomic_store_explicit(p, v, o) WHITTLE_CHANGE(p, v, __c11_atomic_store(whittle_p, whittle_v, o))
#define atomic_store(p, v) atomic_store_explicit(p, v, __ATOMIC_SEQ_CST)
#define atomic_exchange_explicit(p, v, o) WHITTLE_CHANGE(p, v, __c11_atomic_exchange(whittle_p, whittle_v, o))
#define atomic_exchange(p, v) atomic_exchange_explicit(p, v, __ATOMIC_SEQ_CST)
#define atomic_compare_exchange_strong_explicit(p, e, v, s, f) \
  WHITTLE_SWAP(p, e, v, __c11_atomic_compare_exchange_strong(whittle_p, whittle_e, whittle_v, s, f))
#define atomic_compare_exchange_strong(p, e, v) \
  atomic_compare_exchange_strong_explicit(p, e, v, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define atomic_compare_exchange_weak_explicit atomic_compare_exchange_strong_explicit
#define atomic_compare_exchange_weak atomic_compare_exchange_strong
#define atomic_fetch_add_explicit(p, v, o) WHITTLE_CHANGE(p, v, __c11_atomic_fetch_add(whittle_p, whittle_v, o))
#define atomic_fetch_add(p, v) atomic_fetch_add_explicit(p, v, __ATOMIC_SEQ_CST)
#define atomic_fetch_sub_explicit(p, v, o) WHITTLE_CHANGE(p, v, __c11_atomic_fetch_sub(whittle_p, whittle_v, o))
#define atomic_fetch_sub(p, v) atomic_fetch_sub_explicit(p, v, __ATOMIC_SEQ_CST)
#define atomic_fetch_or_explicit(p, v, o) WHITTLE_CHANGE(p, v, __c11_atomic_fetch_or(whittle_p, whittle_v, o))
#define atomic_fetch_or(p, v) atomic_fetch_or_explicit(p, v, __ATOMIC_SEQ_CST)
#define atomic_fetch_and_explicit(p, v, o) WHITTLE_CHANGE(p, v, __c11_atomic_fetch_and(whittle_p, whittle_v, o))
#define atomic_fetch_and(p, v) atomic_fetch_and_explicit(p, v, __ATOMIC_SEQ_CST)
#define atomic_fetch_xor_explicit(p, v, o) WHITTLE_CHANGE(p, v, __c11_atomic_fetch_xor(whittle_p, whittle_v, o))
#define atomic_fetch_xor(p, v) atomic_fetch_xor_explicit(p, v, __ATOMIC_SEQ_CST)
#define atomic_flag_test_and_set_explicit(p, o) WHITTLE_READ(p, __c11_atomic_exchange(&whittle_p->_Value, 1, o))
#define atomic_flag_test_and_set(p) atomic_flag_test_and_set_explicit(p, __ATOMIC_SEQ_CST)
#define atomic_flag_clear_explicit(p, o) WHITTLE_READ(p, __c11_atomic_store(&whittle_p->_Value, 0, o))
#define atomic_flag_clear(p) atomic_flag_clear_explicit(p, __ATOMIC_SEQ_CST)

// GNU forms. A macro is not expanded inside itself, so these names mean the builtins there.
#define __atomic_load_n(p, o) WHITTLE_READ(p, __atomic_load_n(whittle_p, o))
#define __atomic_store_n(p, v, o) WHITTLE_CHANGE(p, v, __atomic_store_n(whittle_p, whittle_v, o))
#define __atomic_exchange_n(p, v, o) WHITTLE_CHANGE(p, v, __atomic_exchange_n(whittle_p, whittle_v, o))
#define __atomic_compare_exchange_n(p, e, v, w, s, f) \
  WHITTLE_SWAP(p, e, v, __atomic_compare_exchange_n(whittle_p, whittle_e, whittle_v, 0, s, f))
#define __atomic_fetch_add(p, v, o) WHITTLE_CHANGE(p, v, __atomic_fetch_add(whittle_p, whittle_v, o))
#define __atomic_fetch_sub(p, v, o) WHITTLE_CHANGE(p, v, __atomic_fetch_sub(whittle_p, whittle_v, o))
#define __atomic_fetch_or(p, v, o) WHITTLE_CHANGE(p, v, __atomic_fetch_or(whittle_p, whittle_v, o))
#define __atomic_fetch_and(p, v, o) WHITTLE_CHANGE(p, v, __atomic_fetch_and(whittle_p, whittle_v, o))
#define __atomic_fetch_xor(p, v, o) WHITTLE_CHANGE(p, v, __atomic_fetch_xor(whittle_p, whittle_v, o))
#define __atomic_add_fetch(p, v, o) WHITTLE_CHANGE(p, v, __atomic_add_fetch(whittle_p, whittle_v, o))
#define __atomic_sub_fetch(p, v, o) WHITTLE_CHANGE(p, v, __atomic_sub_fetch(whittle_p, whittle_v, o))
#define __atomic_test_and_set(p, o) WHITTLE_READ(p, __atomic_test_and_set(whittle_p, o))
#define __atomic_clear(p, o) WHITTLE_READ(p, __atomic_clear(whittle_p, o))
#define __sync_fetch_and_add(p, v) WHITTLE_CHANGE(p, v, __sync_fetch_and_add(whittle_p, whittle_v))
#define __sync_fetch_and_sub(p, v) WHITTLE_CHANGE(p, v, __sync_fetch_and_sub(whittle_p, whittle_v))
#define __sync_add_and_fetch(p, v) WHITTLE_CHANGE(p, v, __sync_add_and_fetch(whittle_p, whittle_v))
#define __sync_sub_and_fetch(p, v) WHITTLE_CHANGE(p, v, __sync_sub_and_fetch(whittle_p, whittle_v))
#define __sync_lock_test_and_set(p, v) WHITTLE_CHANGE(p, v, __sync_lock_test_and_set(whittle_p, whittle_v))
#define __sync_lock_release(p) WHITTLE_READ(p, __sync_lock_release(whittle_p))
#define __sync_bool_compare_and_swap(p, e, v) \
  WHITTLE_SWAP(p, e, v, __sync_bool_compare_and_swap(whittle_p, whittle_e, whittle_v))
#define __sync_val_compare_and_swap(p, e, v) \
  WHITTLE_SWAP(p, e, v, __sync_val_compare_and_swap(whittle_p, whittle_e, whittle_v))
#endif
#endif
