// A FILE of ours. Programs only handle pointers to it.
#ifndef WHITTLE_STREAM_H
#define WHITTLE_STREAM_H

#include <stdio.h>

#include "primitives.h"

struct stream {
  int descriptor;
  int flags;
  int pushed;  // what ungetc gave back, plus one; 0: nothing
};
enum { kEof = 1, kFailed = 2, kWritten = 4 };
enum { kInMemory = -1 };  // the descriptor of what open_memstream returns

// Something was written to this file, which may have failed: ferror decides that when it is asked.
void __whittle_written(FILE* file);
#define WRITTEN(file) \
  do { \
    if (__whittle_uses("ferror")) __whittle_written(file); \
  } while (0)

// scanf has read from this file (null: stdin); to its end if nothing could be read.
void __whittle_scanned(FILE* file, _Bool to_the_end);

// False: this is no stream of open_memstream.
_Bool __whittle_write_to_memory(FILE* file, const void* bytes, size_t size);
_Bool __whittle_flush_to_memory(FILE* file);
#define WRITTEN_TO_MEMORY(file, bytes, size) (__whittle_uses("open_memstream") && __whittle_write_to_memory(file, bytes, size))
#define FLUSHED_TO_MEMORY(file) (__whittle_uses("open_memstream") && __whittle_flush_to_memory(file))

static inline struct stream* stream_of(FILE* file) { return (struct stream*)file; }

#endif
