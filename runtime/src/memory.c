// Allocation. It succeeds unless the size exceeds what any object may have; then it fails as it must.
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "primitives.h"

// Written by whoever allocates or frees where reuse can be noticed: the order of these is part of the schedule then.
// It is only ever written, so it orders nothing else.
static int heap_turn;
static void take_turn(void) { __atomic_store_n(&heap_turn, 0, __ATOMIC_RELAXED); }

// A new object may have the address of one that was freed though someone still has that address (ABA), or a new one:
// then every use of the old pointer is found.
static void* allocate(size_t size, _Bool zeroed) {
  if (size > PTRDIFF_MAX || (__whittle_malloc_may_fail() && __whittle_nondet_bool())) {
    errno = ENOMEM;
    return 0;
  }
  if (__whittle_reuses()) {
    take_turn();
    for (void* place = __whittle_freed(size, 0, &heap_turn); place; place = __whittle_freed(size, place, &heap_turn))
      if (__whittle_nondet_reuse()) return __whittle_heap_alloc_at(size, zeroed, place);
  }
  if (__whittle_uses("__CPROVER_DYNAMIC_OBJECT")) {
    void* object = __whittle_heap_alloc(size, zeroed);
    __whittle_note_dynamic(object);
    return object;
  }
  return __whittle_heap_alloc(size, zeroed);
}

static void release(void* object) {
  __whittle_heap_free(object);
  if (__whittle_reuses()) take_turn();
}

void* malloc(size_t size) { return allocate(size, 0); }

// Objects of a harness are there whatever malloc does.
void* __whittle_new(size_t size) {
  void* object = allocate(size, 0);
  __whittle_assume(object != 0);
  return object;
}

void* calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  return allocate(bytes, 1);
}

void free(void* object) { release(object); }
void cfree(void* object) { release(object); }

void* realloc(void* object, size_t size) {
  if (!object) return allocate(size, 0);
  if (size == 0) {
    release(object);
    return 0;
  }
  void* moved = allocate(size, 0);
  if (!moved) return 0;
  size_t old = __whittle_object_size(object);
  __builtin_memcpy(moved, object, old < size ? old : size);
  release(object);
  return moved;
}

void* reallocarray(void* object, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  if (bytes > PTRDIFF_MAX) {
    errno = ENOMEM;
    return 0;
  }
  return realloc(object, bytes);
}

// Heap objects start at multiples of 16. A stricter alignment is refused by name rather than broken.
static void* aligned(size_t alignment, size_t size) {
  if (alignment > 16) __whittle_unsupported("allocation aligned to more than 16 bytes");
  return allocate(size, 0);
}
static int power_of_two(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

void* aligned_alloc(size_t alignment, size_t size) {
  if (!power_of_two(alignment)) {
    errno = EINVAL;
    return 0;
  }
  return aligned(alignment, size);
}
void* memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }
int posix_memalign(void** object, size_t alignment, size_t size) {
  if (!power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  if (size > PTRDIFF_MAX) return ENOMEM;
  void* new = aligned(alignment, size);
  if (!new) return ENOMEM;
  *object = new;
  return 0;
}
size_t malloc_usable_size(void* object) { return object ? __whittle_object_size(object) : 0; }
