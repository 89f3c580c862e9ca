// What the models in this folder are written with. The front end knows these names and turns each call into one
// statement of the program (src/program/statement.h); everything else in runtime/ is plain C.
#ifndef WHITTLE_PRIMITIVES_H
#define WHITTLE_PRIMITIVES_H

#include <stddef.h>
#include <stdint.h>

// Properties, by their number in src/verdict/property.h. Arguments `property`, `message`, `what`, `kind` must be
// literals.
enum {
  WHITTLE_UNREACH_CALL = 0,
  WHITTLE_VALID_DEREF = 1,
  WHITTLE_VALID_FREE = 2,
  WHITTLE_NO_OVERFLOW = 5,
  WHITTLE_NO_DIV_BY_ZERO = 8,
  WHITTLE_NO_DEADLOCK = 10,
  WHITTLE_LOCK_DISCIPLINE = 11,
};

void __whittle_error(int property, const char* message) __attribute__((noreturn));  // Error
void __whittle_check(_Bool condition, int property, const char* message);           // Check
void __whittle_assume(_Bool condition);                                       // Assume: false ends the path silently
void __whittle_unsupported(const char* what) __attribute__((noreturn));       // Unsupported
void __whittle_halt(int status, const char* kind) __attribute__((noreturn));  // Halt; kind "exit" or "abort"

// Nondet: any function without a body named __VERIFIER_nondet_*, nondet_* or __whittle_nondet_* returns an input.
_Bool __whittle_nondet_bool(void);
uint8_t __whittle_nondet_u8(void);
uint16_t __whittle_nondet_u16(void);
uint32_t __whittle_nondet_u32(void);
uint64_t __whittle_nondet_u64(void);
void __whittle_nondet_memory(void* object,
                             size_t size);  // a Nondet input and a Store for every byte (size a literal or small)

void* __whittle_heap_alloc(size_t size, _Bool zeroed);  // HeapAlloc
// Could someone notice that a new object has the address of one that was freed? A constant of the program.
_Bool __whittle_reuses(void);
// Freed: the lowest address above `above` where an object was freed, `size` bytes fit and a pointer to it is left.
// Whoever frees writes *turn, so that analyses know that the order matters.
void* __whittle_freed(size_t size, const void* above, int* turn);
_Bool __whittle_nondet_reuse(void);                                         // Nondet
void* __whittle_heap_alloc_at(size_t size, _Bool zeroed, void* freed);      // HeapAlloc there
void __whittle_heap_free(void* object);                 // HeapFree (checks double and invalid free)
size_t __whittle_object_size(const void* object);       // ObjectSize
size_t __whittle_object_offset(const void* pointer);    // ObjectOffset

// Constants of the program: what the user asked for.
_Bool __whittle_malloc_may_fail(void);   // --malloc-may-fail
size_t __whittle_text_length(void);      // --text-length, at most 255
unsigned __whittle_signals(void);        // --signals
_Bool __whittle_spurious_wakeups(void);  // --spurious-wakeups
// Does the program use the model of this name? A constant before anything else is looked at: `if (__whittle_uses("f"))`
// leaves one of its branches, and what only the other one needs is not there.
_Bool __whittle_uses(const char* function);

// A plain function: notes an object of the heap for __CPROVER_DYNAMIC_OBJECT.
void __whittle_note_dynamic(const void* object);

void __whittle_atomic_begin(void);  // AtomicBegin
void __whittle_atomic_end(void);    // AtomicEnd
// Await: blocks until low <= (*word & mask) <= high, then begins an atomic region (end it with __whittle_atomic_end).
void __whittle_await32(const volatile int32_t* word, int32_t mask, int32_t low, int32_t high);
void __whittle_await64(const volatile int64_t* word, int64_t mask, int64_t low, int64_t high);
// Spawn: number of the new thread, main is 0. The thread runs function(first, second) and ends when that returns.
int __whittle_spawn(void (*function)(void*, void*), void* first, void* second);
void __whittle_thread_exit(void) __attribute__((noreturn));  // ThreadExit
int __whittle_self(void);                                    // Self
void __whittle_yield(void);                                  // Yield

void __whittle_output(int descriptor, const void* bytes, size_t size);  // Output

// libm on the host, concrete values only (HostMath). `function` is the name in libm: "sin", "pow", ...
double __whittle_math1(const char* function, double x);
double __whittle_math2(const char* function, double x, double y);
float __whittle_math1f(const char* function, float x);  // "sinf", ...
float __whittle_math2f(const char* function, float x, float y);

#endif
