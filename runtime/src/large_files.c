// The names that programs call which are compiled for large files (_FILE_OFFSET_BITS=64, _LARGEFILE64_SOURCE).
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "primitives.h"

// How far into a file is looked at nowhere but where it comes back.
int creat64(const char* path, mode_t mode) { return creat(path, mode); }
int truncate64(const char* path, off64_t length) { return truncate(path, length < 0 ? -1 : 0); }
int ftruncate64(int descriptor, off64_t length) { return ftruncate(descriptor, length < 0 ? -1 : 0); }
int lockf64(int descriptor, int command, off64_t length) {
  (void)length;
  return lockf(descriptor, command, 0);
}
int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) {
  (void)offset, (void)length;
  return fallocate(descriptor, mode, 0, 1);
}
int posix_fallocate64(int descriptor, off64_t offset, off64_t length) {
  (void)offset, (void)length;
  return posix_fallocate(descriptor, 0, 1);
}
int posix_fadvise64(int descriptor, off64_t offset, off64_t length, int advice) {
  (void)offset, (void)length;
  return posix_fadvise(descriptor, 0, 0, advice);
}
ssize_t pread64(int descriptor, void* to, size_t size, off64_t offset) {
  (void)offset;
  return read(descriptor, to, size);
}
FILE* tmpfile64(void) { return tmpfile(); }
FILE* freopen64(const char* name, const char* mode, FILE* file) { return freopen(name, mode, file); }
int fseeko64(FILE* file, off64_t offset, int origin) {
  (void)offset;
  return fseek(file, 0, origin);
}
off64_t ftello64(FILE* file) {
  if (ftell(file) < 0) return -1;
  return (off64_t)(__whittle_nondet_u64() & INT64_MAX);
}
int mkstemp64(char* pattern) { return mkstemp(pattern); }
int mkostemp64(char* pattern, int flags) { return mkostemp(pattern, flags); }
int getrlimit64(__rlimit_resource_t resource, struct rlimit64* limit) {
  struct rlimit any;
  if (getrlimit(resource, &any) < 0) return -1;
  rlim64_t soft = (rlim64_t)__whittle_nondet_u64(), hard = (rlim64_t)__whittle_nondet_u64();
  __whittle_assume(soft <= hard);
  limit->rlim_cur = soft;
  limit->rlim_max = hard;
  return 0;
}
int setrlimit64(__rlimit_resource_t resource, const struct rlimit64* limit) {
  struct rlimit read = {(rlim_t)limit->rlim_cur, (rlim_t)limit->rlim_max};
  return setrlimit(resource, &read);
}

#ifdef __LP64__  // the same layout; with 32 bits, a structure of its own
struct dirent64* readdir64(DIR* folder) { return (struct dirent64*)readdir(folder); }
int fcntl64(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = command == F_SETLK || command == F_SETLKW || command == F_GETLK ? va_arg(arguments, void*) : 0;
  va_end(arguments);
  return fcntl(descriptor, command, argument);
}
int glob64(const char* pattern, int flags, int (*on_error)(const char*, int), glob64_t* found) {
  return glob(pattern, flags, on_error, (glob_t*)found);
}
void globfree64(glob64_t* found) { globfree((glob_t*)found); }
#endif
