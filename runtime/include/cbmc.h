// CBMC's built-in functions. They need no declaration; for editors and compilers that want one, this header has them.
// Any function named nondet_* without a body returns an input.
#ifndef WHITTLE_CBMC_H
#define WHITTLE_CBMC_H

#include <stddef.h>

void __CPROVER_assume(_Bool condition);
void __CPROVER_assert(_Bool condition, const char* text);
void __CPROVER_precondition(_Bool condition, const char* text);
void __CPROVER_postcondition(_Bool condition, const char* text);
void __CPROVER_cover(_Bool condition);
void __CPROVER_fence(const char* kind, ...);
void* __CPROVER_allocate(size_t size, _Bool zero);
void __CPROVER_havoc_slice(void* object, size_t size);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);
void __CPROVER_havoc_object(void* object);
size_t __CPROVER_OBJECT_SIZE(const void* object);
size_t __CPROVER_POINTER_OFFSET(const void* pointer);
size_t __CPROVER_POINTER_OBJECT(const void* pointer);
_Bool __CPROVER_same_object(const void* one, const void* other);
_Bool __CPROVER_r_ok(const void* pointer, size_t size);
_Bool __CPROVER_w_ok(const void* pointer, size_t size);
_Bool __CPROVER_rw_ok(const void* pointer, size_t size);
void __CPROVER_input(const char* name, ...);
void __CPROVER_output(const char* name, ...);

_Bool nondet_bool(void);
char nondet_char(void);
signed char nondet_schar(void);
unsigned char nondet_uchar(void);
short nondet_short(void);
unsigned short nondet_ushort(void);
int nondet_int(void);
unsigned nondet_uint(void);
long nondet_long(void);
unsigned long nondet_ulong(void);
long long nondet_longlong(void);
unsigned long long nondet_ulonglong(void);
size_t nondet_size_t(void);
float nondet_float(void);
double nondet_double(void);

#endif
