// The surroundings of a program that repeats a run: inputs, assumptions, calls of the thread library that tell schedule.c
// where the thread is, and accesses to memory, which the compiler reports (-fsanitize=thread without its library, or
// -fsanitize-coverage=func,trace-loads,trace-stores). Compile this file without them.
#include "replay.h"

#define WHITTLE_SCHEDULE_IMPLEMENTATION
#include "schedule.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

// Violations that the program itself does not notice

void whittle_violation(const char* what) {
  fflush(stdout);
  dprintf(2, "whittle: %s\n", what);
  abort();
}
void reach_error(void) { whittle_violation("reach_error is called"); }
void __VERIFIER_error(void) { whittle_violation("__VERIFIER_error is called"); }
void klee_report_error(const char* file, int line, const char* message, const char* suffix) {
  (void)file, (void)line, (void)message, (void)suffix;
  whittle_violation("klee_report_error is called");
}
#define ASSERT(name)                                                  \
  WEAK void name(int condition) {                                     \
    if (!condition) whittle_violation("the condition of " #name " is false"); \
  }
ASSERT(assert)
ASSERT(__VERIFIER_assert)
ASSERT(__CPROVER_assert)
ASSERT(__CPROVER_precondition)
ASSERT(__CPROVER_postcondition)
ASSERT(__ESBMC_assert)
ASSERT(klee_assert)

static void not_assumed(void) {
  while (whittle_rests()) pause();  // as it did in the run
  dprintf(2, "whittle: an assumption fails: the native run went another way\n");
  _exit(84);
}
#define ASSUME(name) \
  WEAK void name(uintptr_t condition) { if (!(int)condition) not_assumed(); }
ASSUME(__VERIFIER_assume)
ASSUME(__CPROVER_assume)
ASSUME(__ESBMC_assume)
ASSUME(klee_assume)

// Inputs

struct value {
  unsigned long long low, high;
};
static int cursors[256];
// The next input of this thread, or null.
static const struct whittle_input* coming_input(void) {
  int me = whittle_self();
  int* at = &cursors[me & 255];
  while (*at < whittle_input_count && whittle_inputs[*at].thread != me) ++*at;
  return *at < whittle_input_count ? &whittle_inputs[*at] : 0;
}
static struct value next_input(void) {
  struct value value = {0, 0};
  const struct whittle_input* input = coming_input();
  if (!input) return value;
  value.low = input->low;
  value.high = input->high;
  ++cursors[whittle_self() & 255];
  return value;
}
unsigned long long whittle_next_input(void) { return next_input().low; }

#define INPUT_AS(type, name)        \
  WEAK type name(void) {            \
    struct value v = next_input();  \
    type result;                    \
    memcpy(&result, &v, sizeof result); \
    return result;                  \
  }
#define INPUT(type, name) INPUT_AS(type, __VERIFIER_nondet_##name) INPUT_AS(type, nondet_##name)
INPUT(_Bool, bool)
INPUT(char, char)
INPUT(unsigned char, uchar)
INPUT(unsigned char, unsigned_char)
INPUT(short, short)
INPUT(unsigned short, ushort)
INPUT(unsigned short, unsigned_short)
INPUT(int, int)
INPUT(unsigned, uint)
INPUT(unsigned, unsigned)
INPUT(unsigned, unsigned_int)
INPUT(long, long)
INPUT(unsigned long, ulong)
INPUT(unsigned long, unsigned_long)
INPUT(long long, longlong)
INPUT(unsigned long long, ulonglong)
INPUT(unsigned long long, unsigned_long_long)
INPUT(float, float)
INPUT(double, double)
INPUT(size_t, size_t)
INPUT(long long, loff_t)
INPUT(unsigned long, pthread_t)
INPUT(unsigned long, sector_t)
INPUT(char*, pchar)
INPUT(char*, charp)
INPUT(const char*, const_char_pointer)
INPUT(void*, pointer)
INPUT(uint8_t, u8)
INPUT(uint16_t, u16)
INPUT(uint32_t, u32)
// In pieces as large as those that the run asked for: these depend on how the object is aligned.
static void any_bytes(char* object, size_t size) {
  for (size_t i = 0; i < size;) {
    const struct whittle_input* input = coming_input();
    size_t piece = input && input->bytes && input->bytes <= size - i ? input->bytes : 1;
    struct value v = next_input();
    memcpy(object + i, &v, piece);
    i += piece;
  }
}
#ifdef __SIZEOF_INT128__
#define WIDE_INPUT(type, name)             \
  WEAK type name(void) {                   \
    type result;                           \
    any_bytes((char*)&result, sizeof result); \
    return result;                         \
  }
WIDE_INPUT(__int128, __VERIFIER_nondet_int128)
WIDE_INPUT(__int128, nondet_int128)
WIDE_INPUT(unsigned __int128, __VERIFIER_nondet_uint128)
WIDE_INPUT(unsigned __int128, nondet_uint128)
#endif
WEAK void __VERIFIER_nondet_memory(void* object, size_t size) { any_bytes(object, size); }
WEAK void klee_make_symbolic(void* object, size_t size, const char* name) { (void)name, any_bytes(object, size); }
WEAK int klee_int(const char* name) { return (void)name, (int)whittle_next_input(); }
WEAK int klee_range(int begin, int end, const char* name) {
  return (void)begin, (void)end, (void)name, (int)whittle_next_input();
}

// Calls

#define CALL(type, name, as, parameters, arguments)          \
  type whittle_call_##name parameters {                      \
    whittle_moment('c', #as);                                \
    type result = whittle_##name arguments;                  \
    whittle_moment('a', #as);                                \
    return result;                                           \
  }
#define SAME(name, parameters, arguments) CALL(int, name, name, parameters, arguments)
SAME(pthread_create, (pthread_t * t, const pthread_attr_t* a, void* (*f)(void*), void* x), (t, a, f, x))
SAME(pthread_join, (pthread_t t, void** r), (t, r))
SAME(pthread_mutex_lock, (pthread_mutex_t * m), (m))
SAME(pthread_mutex_trylock, (pthread_mutex_t * m), (m))
SAME(pthread_mutex_timedlock, (pthread_mutex_t * m, const struct timespec* t), (m, t))
SAME(pthread_mutex_unlock, (pthread_mutex_t * m), (m))
SAME(pthread_rwlock_rdlock, (pthread_rwlock_t * l), (l))
SAME(pthread_rwlock_wrlock, (pthread_rwlock_t * l), (l))
SAME(pthread_rwlock_tryrdlock, (pthread_rwlock_t * l), (l))
SAME(pthread_rwlock_trywrlock, (pthread_rwlock_t * l), (l))
SAME(pthread_rwlock_unlock, (pthread_rwlock_t * l), (l))
SAME(pthread_spin_lock, (pthread_spinlock_t * l), (l))
SAME(pthread_spin_trylock, (pthread_spinlock_t * l), (l))
SAME(pthread_spin_unlock, (pthread_spinlock_t * l), (l))
SAME(pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t* m), (c, m))
SAME(pthread_cond_timedwait, (pthread_cond_t * c, pthread_mutex_t* m, const struct timespec* t), (c, m, t))
SAME(pthread_cond_signal, (pthread_cond_t * c), (c))
SAME(pthread_cond_broadcast, (pthread_cond_t * c), (c))
SAME(pthread_barrier_init, (pthread_barrier_t * b, const pthread_barrierattr_t* a, unsigned n), (b, a, n))
SAME(pthread_barrier_wait, (pthread_barrier_t * b), (b))
SAME(pthread_once, (pthread_once_t * o, void (*f)(void)), (o, f))
SAME(sem_wait, (sem_t * s), (s))
SAME(sem_trywait, (sem_t * s), (s))
SAME(sem_timedwait, (sem_t * s, const struct timespec* t), (s, t))
SAME(sem_post, (sem_t * s), (s))
SAME(sched_yield, (void), ())
CALL(int, thrd_create, pthread_create, (thrd_t * t, thrd_start_t f, void* x), (t, f, x))
CALL(int, thrd_join, pthread_join, (thrd_t t, int* r), (t, r))
CALL(int, mtx_lock, pthread_mutex_lock, (mtx_t * m), (m))
CALL(int, mtx_trylock, pthread_mutex_trylock, (mtx_t * m), (m))
CALL(int, mtx_unlock, pthread_mutex_unlock, (mtx_t * m), (m))
CALL(int, cnd_wait, pthread_cond_wait, (cnd_t * c, mtx_t* m), (c, m))
CALL(int, cnd_signal, pthread_cond_signal, (cnd_t * c), (c))
CALL(int, cnd_broadcast, pthread_cond_broadcast, (cnd_t * c), (c))
void whittle_call_call_once(once_flag* flag, void (*f)(void)) {
  whittle_moment('c', "pthread_once");
  whittle_call_once(flag, f);
  whittle_moment('a', "pthread_once");
}
void whittle_call_thrd_yield(void) { whittle_call_sched_yield(); }
__attribute__((noreturn)) void whittle_call_pthread_exit(void* result) {
  whittle_moment('c', "pthread_exit");
  whittle_pthread_exit(result);
}
__attribute__((noreturn)) void whittle_call_thrd_exit(int result) { whittle_call_pthread_exit((void*)(intptr_t)result); }
__attribute__((noreturn)) void whittle_call_exit(int status) {
  whittle_moment('c', "exit");
  exit(status);
}
__attribute__((noreturn)) void whittle_call__Exit(int status) {
  whittle_moment('c', "exit");
  _exit(status);
}
__attribute__((noreturn)) void whittle_call__exit(int status) { whittle_call__Exit(status); }
// What main leaves behind on the stack would keep lost memory from being seen as lost.
__attribute__((noinline)) static void wipe(void) {
  volatile char left[1 << 14];
  for (size_t i = 0; i < sizeof left; i++) left[i] = 0;
}
// The linker calls the program's main __real_main (--wrap=main).
int __real_main(int argc, char** argv, char** environment);
int __wrap_main(int argc, char** argv, char** environment) {
  static FILE* text;
  if (whittle_text_size >= 0) text = tmpfile();
  if (text) {
    fwrite(whittle_text, 1, (size_t)whittle_text_size, text);
    fflush(text);
    lseek(fileno(text), 0, SEEK_SET);
    dup2(fileno(text), 0);
  }
  char* arguments[whittle_argument_count < 0 ? 1 : whittle_argument_count + 2];
  if (whittle_argument_count >= 0) {
    arguments[0] = argv[0];
    for (int i = 0; i <= whittle_argument_count; i++) arguments[i + 1] = whittle_arguments[i];
    argc = whittle_argument_count + 1;
    argv = arguments;
  }
  int status = __real_main(argc, argv, environment);
  wipe();
  whittle_moment('c', "exit");
  return status;
}
static void at_exit(void) { whittle_moment('a', "exit"); }
__attribute__((constructor)) static void watch_exit(void) { atexit(at_exit); }
WEAK void __VERIFIER_atomic_begin(void) { whittle_moment('c', "__VERIFIER_atomic_begin"); }
WEAK void __VERIFIER_atomic_end(void) {}

// Copies, a byte at a time: another thread may look on. The sanitizer's own library is told, if it is there.
WEAK void __asan_load1(void* p);
WEAK void __asan_store1(void* p);
#ifndef WHITTLE_ACCESSES_TSAN
WEAK void __tsan_read1(void* p);
WEAK void __tsan_write1(void* p);
#else
#define __tsan_read1 ((void (*)(void*))0)
#define __tsan_write1 ((void (*)(void*))0)
#endif
static void read_byte(void* p) {
  whittle_access(p, 0, 1);
  if (__tsan_read1) __tsan_read1(p);
  if (__asan_load1) __asan_load1(p);
}
static void write_byte(void* p) {
  whittle_access(p, 1, 1);
  if (__tsan_write1) __tsan_write1(p);
  if (__asan_store1) __asan_store1(p);
}
#undef __tsan_read1
#undef __tsan_write1
static void copy_byte(char* to, const char* from) {
  read_byte((void*)from);
  char byte = *from;
  write_byte(to);
  *to = byte;
}
void* whittle_call_memcpy(void* to, const void* from, size_t size) {
  for (size_t i = 0; i < size; i++) copy_byte((char*)to + i, (const char*)from + i);
  return to;
}
void* whittle_call_memmove(void* to, const void* from, size_t size) {
  if (to <= from) return whittle_call_memcpy(to, from, size);
  for (size_t i = size; i-- > 0;) copy_byte((char*)to + i, (const char*)from + i);
  return to;
}
void* whittle_call_memset(void* to, int byte, size_t size) {
  for (size_t i = 0; i < size; i++) {
    write_byte((char*)to + i);
    ((char*)to)[i] = (char)byte;
  }
  return to;
}
// With as many reads as the models of runtime/src/string.c have.
char* whittle_call_stpcpy(char* to, const char* from) {
  for (;; to++, from++) {
    copy_byte(to, from);
    if (!*to) return to;
  }
}
char* whittle_call_strcpy(char* to, const char* from) {
  whittle_call_stpcpy(to, from);
  return to;
}
char* whittle_call_strcat(char* to, const char* from) {
  whittle_call_stpcpy(to + strlen(to), from);
  return to;
}
char* whittle_call_stpncpy(char* to, const char* from, size_t n) {
  size_t i = 0;
  for (; i < n && (read_byte((void*)(from + i)), from[i]); i++) copy_byte(to + i, from + i);
  whittle_call_memset(to + i, 0, n - i);
  return to + i;
}
char* whittle_call_strncpy(char* to, const char* from, size_t n) {
  whittle_call_stpncpy(to, from, n);
  return to;
}

// Accesses. What clang's thread sanitizer calls, if its library is not there.
#ifdef WHITTLE_ACCESSES_TSAN
#define ACCESS(n)                                                        \
  void __tsan_read##n(void* p) { whittle_access(p, 0, n); }              \
  void __tsan_write##n(void* p) { whittle_access(p, 1, n); }                \
  void __tsan_unaligned_read##n(void* p) { whittle_access(p, 0, n); }    \
  void __tsan_unaligned_write##n(void* p) { whittle_access(p, 1, n); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
void __tsan_init(void) {}
void __tsan_func_entry(void* pc) { (void)pc; }
void __tsan_func_exit(void) {}
void* __tsan_memcpy(void* d, const void* s, size_t n) { return whittle_call_memcpy(d, s, n); }
void* __tsan_memmove(void* d, const void* s, size_t n) { return whittle_call_memmove(d, s, n); }
void* __tsan_memset(void* d, int c, size_t n) { return whittle_call_memset(d, c, n); }

#define UPDATE(bits, name)                                                              \
  uint##bits##_t __tsan_atomic##bits##_##name(uint##bits##_t* p, uint##bits##_t v, int o) { \
    (void)o;                                                                            \
    whittle_access(p, 1, bits / 8);                                                     \
    return __atomic_##name(p, v, __ATOMIC_SEQ_CST);                                     \
  }
#define ATOMIC(bits)                                                                    \
  uint##bits##_t __tsan_atomic##bits##_load(const uint##bits##_t* p, int o) {           \
    (void)o;                                                                            \
    whittle_access((void*)p, 0, bits / 8);                                              \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                        \
  }                                                                                     \
  void __tsan_atomic##bits##_store(uint##bits##_t* p, uint##bits##_t v, int o) {        \
    (void)o;                                                                            \
    whittle_access(p, 1, bits / 8);                                                     \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                           \
  }                                                                                     \
  uint##bits##_t __tsan_atomic##bits##_exchange(uint##bits##_t* p, uint##bits##_t v, int o) { \
    (void)o;                                                                            \
    whittle_access(p, 1, bits / 8);                                                     \
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                 \
  }                                                                                     \
  UPDATE(bits, fetch_add)                                                               \
  UPDATE(bits, fetch_sub)                                                               \
  UPDATE(bits, fetch_and)                                                               \
  UPDATE(bits, fetch_or)                                                                \
  UPDATE(bits, fetch_xor)                                                               \
  UPDATE(bits, fetch_nand)                                                              \
  int __tsan_atomic##bits##_compare_exchange_strong(uint##bits##_t* p, uint##bits##_t* e, uint##bits##_t v, int s, int f) { \
    (void)s, (void)f;                                                                   \
    whittle_access(p, 1, bits / 8);                                                     \
    return __atomic_compare_exchange_n(p, e, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }                                                                                     \
  int __tsan_atomic##bits##_compare_exchange_weak(uint##bits##_t* p, uint##bits##_t* e, uint##bits##_t v, int s, int f) { \
    return __tsan_atomic##bits##_compare_exchange_strong(p, e, v, s, f);                \
  }                                                                                     \
  uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(uint##bits##_t* p, uint##bits##_t e, uint##bits##_t v, int s, int f) { \
    __tsan_atomic##bits##_compare_exchange_strong(p, &e, v, s, f);                      \
    return e;                                                                           \
  }
ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)
void __tsan_atomic_thread_fence(int o) { (void)o, __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int o) { (void)o; }
#endif

// ... and what its coverage calls, beside any sanitizer.
#define COVERED(n)                                                 \
  void __sanitizer_cov_load##n(void* p) { whittle_access(p, 0, n); }  \
  void __sanitizer_cov_store##n(void* p) { whittle_access(p, 1, n); }
COVERED(1)
COVERED(2)
COVERED(4)
COVERED(8)
COVERED(16)
