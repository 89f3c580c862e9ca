// qsort and bsearch. Sorting is a binary insertion: few comparisons, and each move is one statement. The order of items that compare
// equal is open in C: where they differ, each order is tried.
#define _GNU_SOURCE
#include <stdlib.h>

#include "compare.h"

typedef int compare_fn(const void*, const void*, void*);

static void sort(char* base, size_t count, size_t size, compare_fn* compare, void* context) {
  if (size == 0 || count < 2) return;
  char* held = __builtin_alloca(size);
  for (size_t i = 1; i < count; i++) {
    char* item = base + i * size;
    size_t low = 0, high = i;  // the item belongs after all items before `low` and before all from `high` on
    while (low < high) {
      size_t middle = low + (high - low) / 2;
      int order = compare(item, base + middle * size, context);
      if (order == 0 && __whittle_sign_memcmp(item, base + middle * size, size) != 0) order = -(int)__whittle_nondet_bool();
      if (order < 0)
        high = middle;
      else
        low = middle + 1;
    }
    if (low == i) continue;
    __builtin_memcpy(held, item, size);
    __builtin_memmove(base + (low + 1) * size, base + low * size, (i - low) * size);
    __builtin_memcpy(base + low * size, held, size);
  }
}

static int plain(const void* a, const void* b, void* context) {
  return (*(int (**)(const void*, const void*))context)(a, b);
}

void qsort(void* base, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  sort(base, count, size, plain, &compare);
}
void qsort_r(void* base, size_t count, size_t size, compare_fn* compare, void* context) {
  sort(base, count, size, compare, context);
}

void* bsearch(const void* key, const void* base, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char* item = (const char*)base + middle * size;
    int order = compare(key, item);
    if (order == 0) return (void*)item;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}
void* lfind(const void* key, const void* base, size_t* count, size_t size, int (*compare)(const void*, const void*)) {
  for (size_t i = 0; i < *count; i++)
    if (compare(key, (const char*)base + i * size) == 0) return (char*)base + i * size;
  return 0;
}
