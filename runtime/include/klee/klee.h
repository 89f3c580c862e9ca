// KLEE's interface, for harnesses written against it. whittle models these functions; see runtime/src/verifier.c.
#ifndef KLEE_H
#define KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void klee_make_symbolic(void* object, size_t size, const char* name);
int klee_int(const char* name);
int klee_range(int begin, int end, const char* name);
uintptr_t klee_choose(uintptr_t n);
void klee_assume(uintptr_t condition);
void klee_silent_exit(int status) __attribute__((noreturn));
void klee_abort(void) __attribute__((noreturn));
void klee_report_error(const char* file, int line, const char* message, const char* suffix) __attribute__((noreturn));
size_t klee_get_obj_size(void* object);
unsigned klee_is_symbolic(uintptr_t value);
void klee_prefer_cex(void* object, uintptr_t condition);
void klee_mark_global(void* object);
void klee_print_expr(const char* message, ...);
void klee_warning(const char* message);
void klee_warning_once(const char* message);
void klee_set_forking(unsigned enable);
void __assert_fail(const char* expression, const char* file, unsigned line, const char* function)
    __attribute__((noreturn));

#define klee_assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))

#ifdef __cplusplus
}
#endif
#endif
