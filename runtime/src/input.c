// Reading. Files are unknown: what is read is any bytes, in any amount, and every call may fail.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "stream.h"

static size_t any_up_to(size_t limit) {
  size_t n = (size_t)__whittle_nondet_u32();
  __whittle_assume(n <= limit);
  return n;
}

static int next_byte(FILE* file) {
  (void)*(volatile int*)&stream_of(file)->descriptor;  // a closed stream is an invalid access
  return __whittle_nondet_bool() ? EOF : __whittle_nondet_u8();
}

#undef getc
#undef getchar
#undef getc_unlocked
#undef getchar_unlocked
int fgetc(FILE* file) { return next_byte(file); }
int getc(FILE* file) { return next_byte(file); }
int _IO_getc(FILE* file) { return next_byte(file); }
int getc_unlocked(FILE* file) { return next_byte(file); }
int getchar(void) { return __whittle_nondet_bool() ? EOF : __whittle_nondet_u8(); }
int getchar_unlocked(void) { return getchar(); }
int ungetc(int c, FILE* file) {
  (void)file;
  return c == EOF ? EOF : (unsigned char)c;
}

// One line: any bytes but a newline, which may end it.
char* fgets(char* to, int size, FILE* file) {
  (void)*(volatile int*)&stream_of(file)->descriptor;
  if (size < 1) return 0;
  if (size > 1) {
    if (__whittle_nondet_bool()) return 0;
    size_t n = 1 + any_up_to((size_t)size - 2);
    for (size_t i = 0; i < n; i++) {
      char c = (char)__whittle_nondet_u8();
      __whittle_assume(c != '\n' || i + 1 == n);
      to[i] = c;
    }
    to[n] = 0;
  } else {
    to[0] = 0;
  }
  return to;
}
char* gets_model(char* to) __asm__("gets");
char* gets_model(char* to) {  // as long as it likes: an overflow is found whatever the buffer
  if (__whittle_nondet_bool()) return 0;
  size_t i = 0;
  while (__whittle_nondet_bool()) to[i++] = (char)__whittle_nondet_u8();
  to[i] = 0;
  return to;
}
ssize_t getline(char** text, size_t* size, FILE* file) {
  (void)file;
  if (__whittle_nondet_bool()) return -1;
  size_t n = 1 + any_up_to(119);
  if (!*text || *size < n + 1) {
    *text = realloc(*text, 128);
    *size = 128;
  }
  for (size_t i = 0; i < n; i++) {
    char c = (char)__whittle_nondet_u8();
    __whittle_assume(c != '\n' || i + 1 == n);
    (*text)[i] = c;
  }
  (*text)[n] = 0;
  return (ssize_t)n;
}
static void fill(void* to, size_t size) {
  for (size_t i = 0; i < size; i++) ((unsigned char*)to)[i] = __whittle_nondet_u8();
}
size_t fread(void* to, size_t size, size_t count, FILE* file) {
  (void)*(volatile int*)&stream_of(file)->descriptor;
  if (size == 0 || count == 0) return 0;
  size_t items = any_up_to(count);
  fill(to, items * size);
  return items;
}
ssize_t read(int descriptor, void* to, size_t size) {
  (void)descriptor;
  if (__whittle_nondet_bool()) {
    errno = EIO;
    return -1;
  }
  size_t n = any_up_to(size);
  fill(to, n);
  return (ssize_t)n;
}

FILE* fopen(const char* name, const char* mode) {
  (void)*(volatile const char*)name;
  (void)*(volatile const char*)mode;
  if (__whittle_nondet_bool()) {
    errno = ENOENT;
    return 0;
  }
  struct stream* stream = __whittle_heap_alloc(sizeof *stream, 0);
  stream->descriptor = 3;
  stream->flags = 0;
  return (FILE*)stream;
}
FILE* fdopen(int descriptor, const char* mode) {
  FILE* file = fopen(mode, mode);
  if (file) stream_of(file)->descriptor = descriptor;
  return file;
}
FILE* tmpfile(void) { return fopen("", "w+"); }
int fclose(FILE* file) {
  if (stream_of(file)->descriptor > 2) __whittle_heap_free(file);
  return 0;
}
int feof(FILE* file) {
  (void)file;
  return __whittle_nondet_bool();
}
int ferror(FILE* file) {
  (void)file;
  return __whittle_nondet_bool();
}
void clearerr(FILE* file) { (void)file; }
int fileno(FILE* file) { return stream_of(file)->descriptor; }
int fseek(FILE* file, long offset, int origin) {
  (void)file, (void)offset, (void)origin;
  return __whittle_nondet_bool() ? -1 : 0;
}
long ftell(FILE* file) {
  (void)file;
  long position = (long)(__whittle_nondet_u32() & 0x7fffffff);
  return __whittle_nondet_bool() ? -1 : position;
}
void rewind(FILE* file) { (void)file; }
int remove(const char* name) {
  (void)*(volatile const char*)name;
  return __whittle_nondet_bool() ? -1 : 0;
}
int rename(const char* from, const char* to) {
  (void)*(volatile const char*)from;
  (void)*(volatile const char*)to;
  return __whittle_nondet_bool() ? -1 : 0;
}
int close(int descriptor) {
  (void)descriptor;
  return __whittle_nondet_bool() ? -1 : 0;
}
int isatty(int descriptor) {
  (void)descriptor;
  return __whittle_nondet_bool();
}
