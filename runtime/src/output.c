// Printing. What is printed is put together in a buffer that no other thread reaches, and shown by one Output (long
// texts: a few). The texts and buffers of the caller are read as the caller would read them.
// Only descriptors 1 and 2 show; what goes to other files is formatted, checked and forgotten.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "format.h"
#include "stream.h"
#include "threads.h"

static struct stream input = {.descriptor = 0}, output = {.descriptor = 1}, error = {.descriptor = 2};
FILE* stdin = (FILE*)&input;
FILE* stdout = (FILE*)&output;
FILE* stderr = (FILE*)&error;

static int print(int descriptor, const char* format, va_list arguments) {
  char buffer[256];
  struct sink sink = {buffer, sizeof buffer, 0, 0, descriptor};
  __whittle_format(&sink, format, arguments);
  __whittle_flush(&sink);
  POSSIBLE_CANCELLATION_POINT();
  __whittle_yield();  // a loop that only prints lets others run
  return (int)sink.total;
}
static int print_memory(char* to, size_t size, const char* format, va_list arguments) {
  struct sink sink = {to, size ? size - 1 : 0, 0, 0, -1};
  __whittle_format(&sink, format, arguments);
  if (size) to[sink.used] = 0;
  return (int)sink.total;
}

int vfprintf(FILE* file, const char* format, va_list arguments) {
  WRITTEN(file);
  if (__whittle_uses("open_memstream") && stream_of(file)->descriptor == kInMemory) {
    va_list again;
    va_copy(again, arguments);
    const int length = print_memory(0, 0, format, arguments);
    char text[length + 1];
    print_memory(text, (size_t)length + 1, format, again);
    va_end(again);
    __whittle_write_to_memory(file, text, (size_t)length);
    return length;
  }
  return print(stream_of(file)->descriptor, format, arguments);
}
int vprintf(const char* format, va_list arguments) { return vfprintf(stdout, format, arguments); }
int vdprintf(int descriptor, const char* format, va_list arguments) { return print(descriptor, format, arguments); }
int vsnprintf(char* to, size_t size, const char* format, va_list arguments) {
  return print_memory(to, size, format, arguments);
}
int vsprintf(char* to, const char* format, va_list arguments) { return print_memory(to, SIZE_MAX, format, arguments); }
int vasprintf(char** to, const char* format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = print_memory(0, 0, format, arguments);
  *to = malloc((size_t)length + 1);
  if (*to)
    print_memory(*to, (size_t)length + 1, format, again);
  else
    length = -1;
  va_end(again);
  return length;
}

#define FORWARD(call)          \
  va_list arguments;           \
  va_start(arguments, format); \
  int length = call;           \
  va_end(arguments);           \
  return length
int printf(const char* format, ...) {
  WRITTEN(stdout);
  FORWARD(print(1, format, arguments));
}
int fprintf(FILE* file, const char* format, ...) {
  FORWARD(vfprintf(file, format, arguments));
}
int dprintf(int descriptor, const char* format, ...) { FORWARD(print(descriptor, format, arguments)); }
int sprintf(char* to, const char* format, ...) { FORWARD(print_memory(to, SIZE_MAX, format, arguments)); }
int snprintf(char* to, size_t size, const char* format, ...) { FORWARD(print_memory(to, size, format, arguments)); }
int asprintf(char** to, const char* format, ...) { FORWARD(vasprintf(to, format, arguments)); }

// Programs compiled with _FORTIFY_SOURCE call these.
int __printf_chk(int flag, const char* format, ...) {
  (void)flag;
  WRITTEN(stdout);
  FORWARD(print(1, format, arguments));
}
int __fprintf_chk(FILE* file, int flag, const char* format, ...) {
  (void)flag;
  FORWARD(vfprintf(file, format, arguments));
}
int __sprintf_chk(char* to, int flag, size_t size, const char* format, ...) {
  (void)flag, (void)size;
  FORWARD(print_memory(to, SIZE_MAX, format, arguments));
}
int __snprintf_chk(char* to, size_t size, int flag, size_t room, const char* format, ...) {
  (void)flag, (void)room;
  FORWARD(print_memory(to, size, format, arguments));
}

static void write_bytes(int descriptor, const void* bytes, size_t size) {
  POSSIBLE_CANCELLATION_POINT();
  if (size) __whittle_output(descriptor, bytes, size);
}

int fputs(const char* text, FILE* file) {
  WRITTEN(file);
  if (!WRITTEN_TO_MEMORY(file, text, strlen(text))) write_bytes(stream_of(file)->descriptor, text, strlen(text));
  return 1;
}
int puts(const char* text) {
  WRITTEN(stdout);
  char buffer[256];
  struct sink sink = {buffer, sizeof buffer, 0, 0, 1};
  while (*text) __whittle_emit(&sink, *text++);
  __whittle_emit(&sink, '\n');
  __whittle_flush(&sink);
  POSSIBLE_CANCELLATION_POINT();
  __whittle_yield();
  return (int)sink.total;
}
int fputc(int c, FILE* file) {
  WRITTEN(file);
  char byte = (char)c;
  if (!WRITTEN_TO_MEMORY(file, &byte, 1)) write_bytes(stream_of(file)->descriptor, &byte, 1);
  return (unsigned char)c;
}
#undef putc
#undef putchar
#undef putc_unlocked
#undef putchar_unlocked
int putc(int c, FILE* file) { return fputc(c, file); }
int _IO_putc(int c, FILE* file) { return fputc(c, file); }
int putc_unlocked(int c, FILE* file) { return fputc(c, file); }
int putchar(int c) {
  WRITTEN(stdout);
  char byte = (char)c;
  write_bytes(1, &byte, 1);
  return (unsigned char)c;
}
int putchar_unlocked(int c) { return putchar(c); }
size_t fwrite(const void* items, size_t size, size_t count, FILE* file) {
  WRITTEN(file);
  if (!WRITTEN_TO_MEMORY(file, items, size * count)) write_bytes(stream_of(file)->descriptor, items, size * count);
  return size ? count : 0;
}
int fputs_unlocked(const char* text, FILE* file) { return fputs(text, file); }
int fputc_unlocked(int c, FILE* file) { return fputc(c, file); }
int fflush_unlocked(FILE* file) { return fflush(file); }
size_t fwrite_unlocked(const void* items, size_t size, size_t count, FILE* file) {
  return fwrite(items, size, count, file);
}
void perror(const char* text) {
  const char* reason = strerror(errno);
  if (text && *text)
    fprintf(stderr, "%s: %s\n", text, reason);
  else
    fprintf(stderr, "%s\n", reason);
}
ssize_t write(int descriptor, const void* bytes, size_t size) {
  CANCELLATION_POINT();
  if (!__whittle_is_open(descriptor)) return __whittle_bad_descriptor();
  uint8_t outcome = __whittle_nondet_u8();  // 0: all of it, 1: nothing, others: a part
  if (outcome == 1) return __whittle_fail(EINTR, EAGAIN, EIO);
  if (outcome > 1 && size > 1) {
    size_t part = (size_t)__whittle_nondet_u32();
    __whittle_assume(part > 0 && part < size);
    size = part;
  }
  write_bytes(descriptor, bytes, size);
  return (ssize_t)size;
}

int fflush(FILE* file) {
  if (__whittle_uses("open_memstream") && !file) __whittle_unsupported("fflush of all streams with open_memstream");
  (void)FLUSHED_TO_MEMORY(file);
  return 0;
}
int setvbuf(FILE* file, char* buffer, int mode, size_t size) {
  (void)file, (void)buffer, (void)mode, (void)size;
  return 0;
}
void setbuf(FILE* file, char* buffer) { (void)file, (void)buffer; }
void setlinebuf(FILE* file) { (void)file; }
