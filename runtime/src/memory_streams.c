// open_memstream: a stream whose bytes go to memory that the program gets when it flushes or closes it.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stream.h"

struct memory_stream {
  struct stream stream;  // first: a FILE* is a pointer to it
  char* text;
  size_t used, capacity;  // the capacity counts the end of the text
  char** to_text;
  size_t* to_size;
};

FILE* open_memstream(char** to_text, size_t* to_size) {
  if (!to_text || !to_size) {
    errno = EINVAL;
    return 0;
  }
  const size_t capacity = 32;
  char* text = malloc(capacity);
  if (!text) return 0;
  text[0] = 0;
  struct memory_stream* stream = __whittle_heap_alloc(sizeof *stream, 1);
  stream->stream.descriptor = kInMemory;
  stream->text = text;
  stream->capacity = capacity;
  stream->to_text = to_text;
  stream->to_size = to_size;
  return (FILE*)stream;
}

static struct memory_stream* in_memory(FILE* file) {
  return file && stream_of(file)->descriptor == kInMemory ? (struct memory_stream*)file : 0;
}

_Bool __whittle_write_to_memory(FILE* file, const void* bytes, size_t size) {
  struct memory_stream* stream = in_memory(file);
  if (!stream) return 0;
  if (stream->used + size + 1 > stream->capacity) {
    const size_t capacity = 2 * (stream->used + size + 1);
    char* text = realloc(stream->text, capacity);
    if (!text) {
      stream->stream.flags |= kFailed;
      return 1;
    }
    stream->text = text;
    stream->capacity = capacity;
  }
  memcpy(stream->text + stream->used, bytes, size);
  stream->used += size;
  stream->text[stream->used] = 0;
  return 1;
}

_Bool __whittle_flush_to_memory(FILE* file) {
  struct memory_stream* stream = in_memory(file);
  if (!stream) return 0;
  *stream->to_text = stream->text;
  *stream->to_size = stream->used;
  return 1;
}
