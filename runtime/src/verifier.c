// The functions of the competition, of KLEE and of CBMC harnesses that need code. Those that are one statement are the
// front end's: inputs (__VERIFIER_nondet_int, nondet_int, ...), assumptions, assertions.
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
void __CPROVER_havoc_object(void* object) { any_bytes(object, __whittle_object_size(object)); }
size_t __CPROVER_OBJECT_SIZE(const void* object) { return __whittle_object_size(object); }
void __CPROVER_input(const char* name, ...) { (void)name; }
void __CPROVER_output(const char* name, ...) { (void)name; }
