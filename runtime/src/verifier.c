// The functions of the competition, of KLEE, CBMC and ESBMC harnesses that need code. Those that are one statement are the
// front end's: inputs (__VERIFIER_nondet_int, nondet_int, ...), assumptions, assertions.
#include <errno.h>
#include <pthread.h>

#include "primitives.h"

// In words of four bytes where it is made of such, so that an int is one input; else byte by byte.
static void any_bytes(void* object, size_t size) {
  if (size == 8 && (uintptr_t)object % 8 == 0) {
    *(uint64_t*)object = __whittle_nondet_u64();
  } else if (size == 2 && (uintptr_t)object % 2 == 0) {
    *(uint16_t*)object = __whittle_nondet_u16();
  } else if (size % 4 == 0 && (uintptr_t)object % 4 == 0) {
    for (size_t i = 0; i < size / 4; i++) ((uint32_t*)object)[i] = __whittle_nondet_u32();
  } else {
    for (size_t i = 0; i < size; i++) ((uint8_t*)object)[i] = __whittle_nondet_u8();
  }
}
void __VERIFIER_nondet_memory(void* object, size_t size) { any_bytes(object, size); }

// For functions that the user replaces (--stub NAME=havoc-arguments): from the pointer to the end of its object.
void __whittle_havoc(void* pointer) {
  size_t size = __whittle_object_size(pointer), offset = __whittle_object_offset(pointer);
  if (size > offset) any_bytes(pointer, size - offset);
}

// KLEE (include/klee/klee.h)
void klee_make_symbolic(void* object, size_t size, const char* name) {
  (void)name;
  any_bytes(object, size);
}
int klee_int(const char* name) {
  (void)name;
  return (int)__whittle_nondet_u32();
}
int klee_range(int begin, int end, const char* name) {
  (void)name;
  int value = (int)__whittle_nondet_u32();
  __whittle_assume(value >= begin && value < end);
  return value;
}
void klee_silent_exit(int status) {
  (void)status;
  __whittle_assume(0);
  __builtin_unreachable();
}
void klee_abort(void) { __whittle_halt(134, "abort"); }
void klee_report_error(const char* file, int line, const char* message, const char* suffix) {
  (void)file, (void)line, (void)message, (void)suffix;
  __whittle_error(WHITTLE_UNREACH_CALL, "klee_report_error is called");
}
// Every byte must be part of an object.
void klee_check_memory_access(const void* start, size_t size) {
  for (size_t i = 0; i < size; i++) (void)((const volatile uint8_t*)start)[i];
}
unsigned klee_is_replay(void) { return 0; }
int klee_get_errno(void) { return errno; }
size_t klee_get_obj_size(void* object) { return __whittle_object_size(object); }
uintptr_t klee_choose(uintptr_t n) {
  uintptr_t value = (uintptr_t)__whittle_nondet_u32();
  __whittle_assume(value < n);
  return value;
}
void klee_warning(const char* message) { (void)message; }
void klee_warning_once(const char* message) { (void)message; }
void klee_prefer_cex(void* object, uintptr_t condition) { (void)object, (void)condition; }
void klee_mark_global(void* object) { (void)object; }
void klee_print_expr(const char* message, ...) { (void)message; }
void klee_set_forking(unsigned enable) { (void)enable; }
void klee_open_merge(void) {}
void klee_close_merge(void) {}
void klee_merge(void) {}
void klee_stack_trace(void) {}
// KLEE picks one value that is possible; all of them are tried here, so the value itself is the answer.
#define KLEE_GET_VALUE(suffix, type) \
  type klee_get_value##suffix(type value) { return value; }
KLEE_GET_VALUE(f, float)
KLEE_GET_VALUE(d, double)
KLEE_GET_VALUE(l, long)
KLEE_GET_VALUE(ll, long long)
KLEE_GET_VALUE(_i32, int32_t)
KLEE_GET_VALUE(_i64, int64_t)
unsigned klee_is_symbolic(uintptr_t value) {
  (void)value;
  return 0;
}

// CBMC (include/cbmc.h has the prototypes; CBMC itself needs none)
void __CPROVER_precondition(_Bool condition, const char* text) {
  (void)text;
  __whittle_check(condition, WHITTLE_UNREACH_CALL, "__CPROVER_precondition failed");
}
void __CPROVER_postcondition(_Bool condition, const char* text) {
  (void)text;
  __whittle_check(condition, WHITTLE_UNREACH_CALL, "__CPROVER_postcondition failed");
}
void __CPROVER_atomic_begin(void) { __whittle_atomic_begin(); }
void __CPROVER_atomic_end(void) { __whittle_atomic_end(); }
// Statements with a label __CPROVER_ASYNC_n, which come as blocks of clang's: captured variables follow the header.
struct block {
  void* kind;
  int flags, reserved;
  void (*invoke)(struct block*);
  const struct {
    unsigned long reserved, size;
  }* descriptor;
};
void *_NSConcreteStackBlock[1], *_NSConcreteGlobalBlock[1];
static void* run_block(void* block) {
  ((struct block*)block)->invoke(block);
  __whittle_heap_free(block);
  return 0;
}
void __CPROVER_async(void* block) {
  size_t size = ((struct block*)block)->descriptor->size;
  void* copy = __whittle_heap_alloc(size, 0);
  __builtin_memcpy(copy, block, size);
  pthread_t thread;
  pthread_create(&thread, 0, run_block, copy);
  pthread_detach(thread);
}
void __CPROVER_fence(const char* kind, ...) { (void)kind; }  // memory is sequentially consistent
void __CPROVER_cover(_Bool condition) { (void)condition; }
void __CPROVER_printf(const char* format, ...) { (void)format; }
void* __CPROVER_allocate(size_t size, _Bool zero) {
  void* object = __whittle_heap_alloc(size, zero);
  if (__whittle_uses("__CPROVER_DYNAMIC_OBJECT")) __whittle_note_dynamic(object);
  return object;
}
void __CPROVER_havoc_slice(void* object, size_t size) { any_bytes(object, size); }
void __CPROVER_havoc_object(void* object) { any_bytes(object, __whittle_object_size(object)); }
size_t __CPROVER_OBJECT_SIZE(const void* object) { return __whittle_object_size(object); }
size_t __CPROVER_POINTER_OFFSET(const void* pointer) { return __whittle_object_offset(pointer); }
size_t __CPROVER_POINTER_OBJECT(const void* pointer) { return (size_t)pointer - __whittle_object_offset(pointer); }
// Objects of the heap, for programs that ask: those that were freed stay dynamic.
static const void* dynamic_objects[64];
static unsigned dynamic_count;
void __whittle_note_dynamic(const void* object) {
  __whittle_atomic_begin();
  if (dynamic_count == 64) __whittle_unsupported("__CPROVER_DYNAMIC_OBJECT with more than 64 allocations");
  dynamic_objects[dynamic_count++] = object;
  __whittle_atomic_end();
}
_Bool __CPROVER_DYNAMIC_OBJECT(const void* pointer) {
  const void* object = (const void*)__CPROVER_POINTER_OBJECT(pointer);
  _Bool found = 0;
  __whittle_atomic_begin();
  for (unsigned i = 0; i < dynamic_count; i++) found |= dynamic_objects[i] == object;
  __whittle_atomic_end();
  return found;
}
_Bool __CPROVER_same_object(const void* one, const void* other) {
  return __CPROVER_POINTER_OBJECT(one) == __CPROVER_POINTER_OBJECT(other);
}
_Bool __CPROVER_rw_ok(const void* pointer, size_t size) {
  size_t whole = __whittle_object_size(pointer);  // 0 once it has ended
  return whole != 0 && size <= whole && __whittle_object_offset(pointer) <= whole - size;
}
_Bool __CPROVER_r_ok(const void* pointer, size_t size) { return __CPROVER_rw_ok(pointer, size); }
_Bool __CPROVER_w_ok(const void* pointer, size_t size) { return __CPROVER_rw_ok(pointer, size); }
// CBMC's arrays: from the pointer to the end of its object.
static size_t array_size(const void* array) {
  size_t size = __whittle_object_size(array), offset = __whittle_object_offset(array);
  return offset < size ? size - offset : 0;
}
static size_t smaller_size(const void* one, const void* other) {
  size_t a = array_size(one), b = array_size(other);
  return a < b ? a : b;
}
void __CPROVER_array_copy(const void* to, const void* from) { __builtin_memmove((void*)to, from, smaller_size(to, from)); }
void __CPROVER_array_replace(const void* to, const void* from) { __CPROVER_array_copy(to, from); }
void __CPROVER_array_set_elements(const void* array, size_t width, const void* value) {
  size_t size = array_size(array);
  for (size_t i = 0; width != 0 && i + width <= size; i += width) __builtin_memcpy((char*)array + i, value, width);
}
size_t __CPROVER_buffer_size(const void* pointer) { return array_size(pointer); }
_Bool __CPROVER_is_zero_string(const void* text) {
  size_t size = array_size(text);
  for (size_t i = 0; i < size; i++)
    if (((const char*)text)[i] == 0) return 1;
  return 0;
}
size_t __CPROVER_zero_string_length(const void* text) {
  size_t i = 0;
  while (((const char*)text)[i] != 0) i++;
  return i;
}
_Bool __CPROVER_array_equal(const void* one, const void* other) {
  size_t size = array_size(one);
  if (size != array_size(other)) return 0;
  for (size_t i = 0; i < size; i++)
    if (((const uint8_t*)one)[i] != ((const uint8_t*)other)[i]) return 0;
  return 1;
}
void __CPROVER_input(const char* name, ...) { (void)name; }
void __CPROVER_output(const char* name, ...) { (void)name; }
#define CPROVER_FLOAT(suffix, type)                                                       \
  _Bool __CPROVER_isnan##suffix(type x) { return __builtin_isnan(x); }                    \
  _Bool __CPROVER_isinf##suffix(type x) { return __builtin_isinf(x); }                    \
  _Bool __CPROVER_isfinite##suffix(type x) { return __builtin_isfinite(x); }              \
  _Bool __CPROVER_isnormal##suffix(type x) { return __builtin_isnormal(x); }              \
  _Bool __CPROVER_sign##suffix(type x) { return __builtin_signbit(x); }
CPROVER_FLOAT(f, float)
CPROVER_FLOAT(d, double)
float __CPROVER_fabsf(float x) { return __builtin_fabsf(x); }
double __CPROVER_fabs(double x) { return __builtin_fabs(x); }

// ESBMC
void __ESBMC_atomic_begin(void) { __whittle_atomic_begin(); }
void __ESBMC_atomic_end(void) { __whittle_atomic_end(); }
