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
enum { kEof = 1, kFailed = 2 };

static inline struct stream* stream_of(FILE* file) { return (struct stream*)file; }

#endif
