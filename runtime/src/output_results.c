// Printing for programs that look at what it returns: it may fail. Calls whose result is used come here
// (src/frontend/model_choice.h); all others cannot tell.
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "files.h"
#include "stream.h"

// The result if all went well; else EOF, which every one of these returns then.
static int outcome(FILE* file, int result) {
  if (!__whittle_nondet_bool()) return result;
  struct stream* stream = stream_of(file);
  __whittle_atomic_begin();
  stream->flags |= kFailed;
  __whittle_atomic_end();
  return __whittle_fail(EIO, ENOSPC, EPIPE);
}
static int outcome_of_descriptor(int result) { return __whittle_nondet_bool() ? __whittle_fail(EIO, ENOSPC, EPIPE) : result; }

#define FAILING(name, file, parameters, arguments) \
  int __whittle_failing_##name parameters { return outcome(file, name arguments); }
FAILING(vfprintf, file, (FILE* file, const char* format, va_list list), (file, format, list))
FAILING(vprintf, stdout, (const char* format, va_list list), (format, list))
FAILING(fputs, file, (const char* text, FILE* file), (text, file))
FAILING(fputs_unlocked, file, (const char* text, FILE* file), (text, file))
FAILING(puts, stdout, (const char* text), (text))
FAILING(fputc, file, (int c, FILE* file), (c, file))
FAILING(fputc_unlocked, file, (int c, FILE* file), (c, file))
FAILING(putc, file, (int c, FILE* file), (c, file))
FAILING(putc_unlocked, file, (int c, FILE* file), (c, file))
FAILING(putchar, stdout, (int c), (c))
FAILING(putchar_unlocked, stdout, (int c), (c))
int __whittle_failing_vdprintf(int descriptor, const char* format, va_list list) {
  return outcome_of_descriptor(vdprintf(descriptor, format, list));
}
// The stream is gone afterwards, and null stands for all of them.
int __whittle_failing_fclose(FILE* file) { return outcome_of_descriptor(fclose(file)); }
int __whittle_failing_fflush(FILE* file) { return file ? outcome(file, fflush(file)) : outcome_of_descriptor(fflush(file)); }

#define FORWARD(call)     \
  va_list list;           \
  va_start(list, format); \
  int result = call;      \
  va_end(list);           \
  return result
int __whittle_failing_printf(const char* format, ...) { FORWARD(__whittle_failing_vprintf(format, list)); }
int __whittle_failing_fprintf(FILE* file, const char* format, ...) { FORWARD(__whittle_failing_vfprintf(file, format, list)); }
int __whittle_failing_dprintf(int descriptor, const char* format, ...) { FORWARD(__whittle_failing_vdprintf(descriptor, format, list)); }

static size_t written(FILE* file, size_t count) {
  if (count == 0 || outcome(file, 0) == 0) return count;
  size_t part = (size_t)__whittle_nondet_u32();
  __whittle_assume(part < count);
  return part;
}
size_t __whittle_failing_fwrite(const void* items, size_t size, size_t count, FILE* file) {
  return written(file, fwrite(items, size, count, file));
}
size_t __whittle_failing_fwrite_unlocked(const void* items, size_t size, size_t count, FILE* file) {
  return __whittle_failing_fwrite(items, size, count, file);
}
