// Reading. Files are unknown: what is read is any bytes, in any amount, and every call may fail.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "stream.h"
#include "threads.h"

static size_t any_up_to(size_t limit) {
  size_t n = (size_t)__whittle_nondet_u32();
  __whittle_assume(n <= limit);
  return n;
}

static void fill(void* to, size_t size) {
  for (size_t i = 0; i < size; i++) ((unsigned char*)to)[i] = __whittle_nondet_u8();
}

// What is there from now on is open: bytes without a value, in a few statements however many they are.
static void forget(unsigned char* to, size_t size) {
  unsigned char unknown[256];
  for (; size > sizeof unknown; to += sizeof unknown, size -= sizeof unknown) __builtin_memcpy(to, unknown, sizeof unknown);
  __builtin_memcpy(to, unknown, size);
}

static void set_flag(struct stream* stream, int flag) {
  __whittle_atomic_begin();
  stream->flags |= flag;
  __whittle_atomic_end();
}
// Nothing more, or an error; feof and ferror tell which.
static _Bool end_of_file(struct stream* stream) {
  _Bool failed = __whittle_nondet_bool();
  set_flag(stream, failed ? kFailed : kEof);
  return failed;
}
// scanf has read from here: what ungetc gave back is gone, and it may have met the end.
void __whittle_scanned(FILE* file, _Bool to_the_end) {
  struct stream* stream = stream_of(file ? file : stdin);
  __whittle_atomic_begin();
  stream->pushed = 0;
  __whittle_atomic_end();
  if (__whittle_uses("feof") || __whittle_uses("ferror")) {
    if (to_the_end || __whittle_nondet_bool()) end_of_file(stream);
  }
}
static int take_pushed(struct stream* stream) {
  __whittle_atomic_begin();
  int pushed = stream->pushed;
  stream->pushed = 0;
  __whittle_atomic_end();
  return pushed;
}
static int next_byte(FILE* file) {
  struct stream* stream = stream_of(file);
  int pushed = take_pushed(stream);
  if (pushed) return pushed - 1;
  if (!__whittle_nondet_bool()) return __whittle_nondet_u8();
  end_of_file(stream);
  return EOF;
}

#undef getc
#undef getchar
#undef getc_unlocked
#undef getchar_unlocked
int fgetc(FILE* file) { return next_byte(file); }
int getc(FILE* file) { return next_byte(file); }
int _IO_getc(FILE* file) { return next_byte(file); }
int getc_unlocked(FILE* file) { return next_byte(file); }
int getchar(void) { return next_byte(stdin); }
int getchar_unlocked(void) { return getchar(); }
int fgetc_unlocked(FILE* file) { return next_byte(file); }
int ungetc(int c, FILE* file) {
  if (c == EOF) return EOF;
  struct stream* stream = stream_of(file);
  __whittle_atomic_begin();
  if (stream->pushed) __whittle_unsupported("ungetc of more than one character");
  stream->pushed = (unsigned char)c + 1;
  stream->flags &= ~kEof;
  __whittle_atomic_end();
  return (unsigned char)c;
}

// One line: any bytes but a newline, which may end it.
char* fgets(char* to, int size, FILE* file) {
  struct stream* stream = stream_of(file);
  int pushed = take_pushed(stream);
  if (size < 1) return 0;
  if (size > 1) {
    if (!pushed && __whittle_nondet_bool()) {
      if (end_of_file(stream)) forget((unsigned char*)to, (size_t)size - 1);  // something was read before the error
      return 0;
    }
    size_t n = 1 + any_up_to((size_t)size - 2);
    for (size_t i = 0; i < n; i++) {
      char c = i == 0 && pushed ? (char)(pushed - 1) : (char)__whittle_nondet_u8();
      __whittle_assume(c != '\n' || i + 1 == n);
      to[i] = c;
    }
    to[n] = 0;
    if (__whittle_uses("feof")) {
      if (n + 1 < (size_t)size && to[n - 1] != '\n') set_flag(stream, kEof);  // a shorter line ends with the file
    }
  } else {
    to[0] = 0;
  }
  return to;
}
char* fgets_unlocked(char* to, int size, FILE* file) { return fgets(to, size, file); }
char* gets_model(char* to) __asm__("gets");
char* gets_model(char* to) {  // as long as it likes: an overflow is found whatever the buffer
  if (__whittle_nondet_bool()) {
    end_of_file(stream_of(stdin));
    return 0;
  }
  size_t i = 0;
  while (__whittle_nondet_bool()) to[i++] = (char)__whittle_nondet_u8();
  to[i] = 0;
  if (__whittle_nondet_bool()) set_flag(stream_of(stdin), kEof);
  return to;
}
ssize_t getdelim(char** text, size_t* size, int end, FILE* file) {
  struct stream* stream = stream_of(file);
  int pushed = take_pushed(stream);
  const size_t longest = __whittle_text_length() > 120 ? __whittle_text_length() : 120;
  if (!pushed && __whittle_nondet_bool()) {
    end_of_file(stream);
    if (!*text && __whittle_nondet_bool()) {  // glibc allocates before it reads: there may be a text to free
      *text = malloc(longest + 8);
      if (*text) *size = longest + 8;
    }
    return -1;
  }
  size_t n = 1 + any_up_to(longest - 1);
  if (!*text || *size < n + 1) {
    char* larger = realloc(*text, longest + 8);
    if (!larger) return -1;
    *text = larger;
    *size = longest + 8;
  }
  for (size_t i = 0; i < n; i++) {
    char c = i == 0 && pushed ? (char)(pushed - 1) : (char)__whittle_nondet_u8();
    __whittle_assume(c != (char)end || i + 1 == n);
    (*text)[i] = c;
  }
  (*text)[n] = 0;
  if (__whittle_uses("feof")) {
    if ((*text)[n - 1] != (char)end) set_flag(stream, kEof);
  }
  return (ssize_t)n;
}
ssize_t __getdelim(char** text, size_t* size, int end, FILE* file) { return getdelim(text, size, end, file); }
ssize_t getline(char** text, size_t* size, FILE* file) { return getdelim(text, size, '\n', file); }
size_t fread(void* to, size_t size, size_t count, FILE* file) {
  struct stream* stream = stream_of(file);
  if (size == 0 || count == 0) return 0;
  int pushed = take_pushed(stream);
  size_t items = any_up_to(count);
  fill(to, items * size);
  if (pushed && items) *(unsigned char*)to = (unsigned char)(pushed - 1);
  if (items < count) {
    end_of_file(stream);
    forget((unsigned char*)to + items * size, size - 1);  // a part of one more item
  }
  return items;
}
size_t fread_unlocked(void* to, size_t size, size_t count, FILE* file) { return fread(to, size, count, file); }
ssize_t read(int descriptor, void* to, size_t size) {
  CANCELLATION_POINT();
  if (!__whittle_is_open(descriptor)) return __whittle_bad_descriptor();
  if (__whittle_nondet_bool()) return __whittle_fail(EINTR, EAGAIN, EIO);
  size_t n = any_up_to(size);
  fill(to, n);
  return (ssize_t)n;
}
ssize_t pread(int descriptor, void* to, size_t size, off_t offset) {
  (void)offset;
  return read(descriptor, to, size);
}

static FILE* new_stream(int descriptor) {
  struct stream* stream = __whittle_heap_alloc(sizeof *stream, 1);
  stream->descriptor = descriptor;
  return (FILE*)stream;
}
FILE* fopen(const char* name, const char* mode) {
  (void)strlen(name);
  (void)strlen(mode);
  if (*mode != 'r' && *mode != 'w' && *mode != 'a') {
    errno = EINVAL;
    return 0;
  }
  if (__whittle_nondet_bool()) {
    __whittle_fail(ENOENT, EACCES, EMFILE);
    return 0;
  }
  return new_stream(__whittle_new_descriptor(0));
}
FILE* fopen64(const char* name, const char* mode) { return fopen(name, mode); }
FILE* fdopen(int descriptor, const char* mode) {
  (void)strlen(mode);
  if (!__whittle_is_open(descriptor)) {
    __whittle_bad_descriptor();
    return 0;
  }
  return new_stream(descriptor);
}
FILE* tmpfile(void) { return fopen("", "w+"); }
FILE* freopen(const char* name, const char* mode, FILE* file) {
  if (!name) __whittle_unsupported("freopen without a name");
  (void)strlen(name);
  (void)strlen(mode);
  struct stream* stream = stream_of(file);
  if (__whittle_nondet_bool()) {
    __whittle_fail(ENOENT, EACCES, EMFILE);
    __whittle_release(stream->descriptor);
    if (file != stdin && file != stdout && file != stderr) __whittle_heap_free(file);
    return 0;
  }
  stream->flags = stream->pushed = 0;
  return file;
}
int fclose(FILE* file) {
  if (FLUSHED_TO_MEMORY(file)) {
    __whittle_heap_free(file);
    return 0;
  }
  int descriptor = stream_of(file)->descriptor;
  __whittle_release(descriptor);
  if (file != stdin && file != stdout && file != stderr) __whittle_heap_free(file);
  return 0;
}
static int flags_of(FILE* file) {
  __whittle_atomic_begin();
  int flags = stream_of(file)->flags;
  __whittle_atomic_end();
  return flags;
}
int feof(FILE* file) { return (flags_of(file) & kEof) != 0; }
int feof_unlocked(FILE* file) { return feof(file); }
void __whittle_written(FILE* file) { set_flag(stream_of(file), kWritten); }
int ferror(FILE* file) {
  int flags = flags_of(file);
  if ((flags & (kWritten | kFailed)) == kWritten && __whittle_nondet_bool()) set_flag(stream_of(file), flags |= kFailed);
  return (flags & kFailed) != 0;
}
int ferror_unlocked(FILE* file) { return ferror(file); }
void clearerr(FILE* file) {
  __whittle_atomic_begin();
  stream_of(file)->flags = 0;
  __whittle_atomic_end();
}
void clearerr_unlocked(FILE* file) { clearerr(file); }
int fileno_unlocked(FILE* file) { return stream_of(file)->descriptor; }
void flockfile(FILE* file) { (void)file; }
void funlockfile(FILE* file) { (void)file; }
int fileno(FILE* file) { return stream_of(file)->descriptor; }
static int seek(FILE* file, int origin) {
  struct stream* stream = stream_of(file);
  if (__whittle_uses("open_memstream") && stream->descriptor == kInMemory) __whittle_unsupported("a new place in a stream of open_memstream");
  if (origin != SEEK_SET && origin != SEEK_CUR && origin != SEEK_END) {
    errno = EINVAL;
    return -1;
  }
  if (__whittle_nondet_bool()) return __whittle_fail(ESPIPE, EINVAL, EBADF);
  __whittle_atomic_begin();
  stream->flags &= ~kEof;
  stream->pushed = 0;
  __whittle_atomic_end();
  return 0;
}
int fseek(FILE* file, long offset, int origin) {
  (void)offset;
  return seek(file, origin);
}
int fseeko(FILE* file, off_t offset, int origin) {
  (void)offset;
  return seek(file, origin);
}
long ftell(FILE* file) {
  (void)*(volatile int*)&stream_of(file)->descriptor;
  long position = (long)(__whittle_nondet_u64() & LONG_MAX);
  return __whittle_nondet_bool() ? __whittle_fail(ESPIPE, EBADF, EOVERFLOW) : position;
}
off_t ftello(FILE* file) { return ftell(file); }
void rewind(FILE* file) {
  seek(file, SEEK_SET);
  clearerr(file);
}
