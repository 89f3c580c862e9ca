// The printf family behind its many names.
#ifndef WHITTLE_FORMAT_H
#define WHITTLE_FORMAT_H

#include <stdarg.h>

#include "primitives.h"

// Where formatted text goes: to memory of a given size, or in pieces to a file descriptor.
struct sink {
  char* buffer;
  size_t capacity;
  size_t used;     // bytes in the buffer
  size_t total;    // bytes that were produced
  int descriptor;  // negative: memory only, and what does not fit is dropped
};
void __whittle_emit(struct sink* sink, char c);
void __whittle_flush(struct sink* sink);
void __whittle_format(struct sink* sink, const char* format, va_list arguments);

#endif
