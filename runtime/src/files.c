// Descriptors and the file system. Files are unknown: calls succeed or fail with an error, most likely one that POSIX lists for
// them, and what they report is any value. Which descriptors are open is known, and new ones have the lowest free number.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <syslog.h>
#include <termios.h>
#include <unistd.h>
#include <utime.h>

#include "files.h"
#include "threads.h"

static uint32_t open_descriptors = 7;  // a set

static _Bool in_set(int descriptor) {
  return descriptor >= 0 && descriptor < 32 && (open_descriptors >> descriptor & 1);
}
_Bool __whittle_is_open(int descriptor) {
  __whittle_atomic_begin();
  _Bool open = in_set(descriptor);
  __whittle_atomic_end();
  return open;
}
int __whittle_fail(int first, int second, int third) {
  // POSIX lets systems add errors of their own to those it lists. Pointers and descriptors were looked at before.
  uint8_t which = __whittle_nondet_u8();
  int other = which % EHWPOISON + 1;
  other += (other == EBADF) | (other == EFAULT);
  errno = which == 0 ? first : which == 1 ? second : which == 2 ? third : other;
  return -1;
}
int __whittle_bad_descriptor(void) {
  errno = EBADF;
  return -1;
}
int __whittle_new_descriptor(int lowest) {
  __whittle_atomic_begin();
  int descriptor = lowest;
  while (descriptor < 32 && in_set(descriptor)) descriptor++;
  if (descriptor >= 32) __whittle_unsupported("more than 32 open descriptors");
  open_descriptors |= UINT32_C(1) << descriptor;
  __whittle_atomic_end();
  return descriptor;
}

// A call that needs no more than a name: reads it, and succeeds or fails.
static void look_at(const char* name) { (void)strlen(name); }
static int outcome(int first, int second, int third) {
  return __whittle_nondet_bool() ? __whittle_fail(first, second, third) : 0;
}
#define OF_NAME(name, ...)                                    \
  int name(__VA_ARGS__) {                                     \
    look_at(path);                                            \
    return outcome(ENOENT, EACCES, EIO);                      \
  }
#define UNUSED __attribute__((unused))
OF_NAME(access, const char* path, UNUSED int mode)
OF_NAME(euidaccess, const char* path, UNUSED int mode)
OF_NAME(eaccess, const char* path, UNUSED int mode)
OF_NAME(unlink, const char* path)
OF_NAME(rmdir, const char* path)
OF_NAME(chdir, const char* path)
OF_NAME(mkdir, const char* path, UNUSED mode_t mode)
OF_NAME(mkfifo, const char* path, UNUSED mode_t mode)
OF_NAME(chmod, const char* path, UNUSED mode_t mode)
OF_NAME(chown, const char* path, UNUSED uid_t user, UNUSED gid_t group)
OF_NAME(lchown, const char* path, UNUSED uid_t user, UNUSED gid_t group)
OF_NAME(truncate, const char* path, UNUSED off_t length)
OF_NAME(remove, const char* path)
OF_NAME(chroot, const char* path)
OF_NAME(mknod, const char* path, UNUSED mode_t mode, UNUSED dev_t device)
// Relative to an open folder, or to the working one.
static _Bool is_folder(int folder) { return folder == AT_FDCWD || __whittle_is_open(folder); }
#define OF_FOLDER(name, ...)                                   \
  int name(int folder, __VA_ARGS__) {                          \
    look_at(path);                                             \
    if (!is_folder(folder)) return __whittle_bad_descriptor(); \
    return outcome(ENOENT, EACCES, ENOTDIR);                   \
  }
OF_FOLDER(faccessat, const char* path, UNUSED int mode, UNUSED int flags)
OF_FOLDER(unlinkat, const char* path, UNUSED int flags)
OF_FOLDER(mkdirat, const char* path, UNUSED mode_t mode)
OF_FOLDER(fchmodat, const char* path, UNUSED mode_t mode, UNUSED int flags)
OF_FOLDER(fchownat, const char* path, UNUSED uid_t user, UNUSED gid_t group, UNUSED int flags)
static int set_times(const char* path, const struct timeval* times) {
  look_at(path);
  volatile long seen = times ? times[0].tv_sec + times[1].tv_usec : 0;
  (void)seen;
  return outcome(ENOENT, EACCES, EIO);
}
int utimes(const char* path, const struct timeval times[2]) { return set_times(path, times); }
int lutimes(const char* path, const struct timeval times[2]) { return set_times(path, times); }
int utime(const char* path, const struct utimbuf* times) {
  look_at(path);
  volatile time_t seen = times ? times->actime + times->modtime : 0;
  (void)seen;
  return outcome(ENOENT, EACCES, EPERM);
}
static void look_at_times(const struct timespec* times) {
  volatile long seen = times ? times[0].tv_nsec + times[1].tv_nsec : 0;
  (void)seen;
}
int utimensat(int folder, const char* path, const struct timespec times[2], int flags) {
  (void)flags;
  look_at(path);
  look_at_times(times);
  return is_folder(folder) ? outcome(ENOENT, EACCES, EPERM) : __whittle_bad_descriptor();
}
int futimens(int descriptor, const struct timespec times[2]) {
  look_at_times(times);
  return __whittle_is_open(descriptor) ? outcome(EACCES, EPERM, EROFS) : __whittle_bad_descriptor();
}
void sync(void) {}
#define OF_TWO_NAMES(name)                    \
  int name(const char* from, const char* to) { \
    look_at(from);                             \
    look_at(to);                               \
    return outcome(ENOENT, EACCES, EEXIST);    \
  }
OF_TWO_NAMES(rename)
OF_TWO_NAMES(link)
OF_TWO_NAMES(symlink)
int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  look_at(from);
  look_at(to);
  if (!is_folder(from_folder) || !is_folder(to_folder)) return __whittle_bad_descriptor();
  return outcome(ENOENT, EACCES, EEXIST);
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  (void)flags;
  return renameat(from_folder, from, to_folder, to);
}
int symlinkat(const char* from, int folder, const char* to) { return renameat(AT_FDCWD, from, folder, to); }
#define OF_DESCRIPTOR(name, ...)                                        \
  int name(__VA_ARGS__) {                                               \
    if (!__whittle_is_open(descriptor)) return __whittle_bad_descriptor(); \
    return outcome(EIO, EINTR, EINVAL);                                 \
  }
int isatty(int descriptor) {
  if (__whittle_is_open(descriptor) && __whittle_nondet_bool()) return 1;
  errno = __whittle_is_open(descriptor) ? ENOTTY : EBADF;
  return 0;
}
// The size of the terminal; other requests are many, each with an argument of its own.
int ioctl(int descriptor, unsigned long request, ...) {
  if (!__whittle_is_open(descriptor)) return __whittle_bad_descriptor();
  if (request != TIOCGWINSZ) __whittle_unsupported("ioctl other than TIOCGWINSZ");
  if (__whittle_nondet_bool()) return __whittle_fail(ENOTTY, EINVAL, EIO);
  va_list arguments;
  va_start(arguments, request);
  struct winsize* size = va_arg(arguments, struct winsize*);
  va_end(arguments);
  size->ws_row = __whittle_nondet_u16();
  size->ws_col = __whittle_nondet_u16();
  size->ws_xpixel = __whittle_nondet_u16();
  size->ws_ypixel = __whittle_nondet_u16();
  return 0;
}
// Numbers of devices, as glibc packs them.
unsigned gnu_dev_major(dev_t device) { return (unsigned)(device >> 8 & 0xfff) | (unsigned)(device >> 32 & 0xfffff000); }
unsigned gnu_dev_minor(dev_t device) { return (unsigned)(device & 0xff) | (unsigned)(device >> 12 & 0xffffff00); }
dev_t gnu_dev_makedev(unsigned major, unsigned minor) {
  return (dev_t)(major & 0xfff) << 8 | (dev_t)(major & 0xfffff000) << 32 | (dev_t)(minor & 0xff) | (dev_t)(minor & 0xffffff00) << 12;
}
// What it was before the first call is unknown.
mode_t umask(mode_t mask) {
  static mode_t current;
  static _Bool known;
  __whittle_atomic_begin();
  mode_t before = known ? current : (mode_t)(__whittle_nondet_u16() & 0777);
  known = 1;
  current = mask & 0777;
  __whittle_atomic_end();
  return before;
}
OF_DESCRIPTOR(fsync, int descriptor)
OF_DESCRIPTOR(fdatasync, int descriptor)
OF_DESCRIPTOR(ftruncate, int descriptor, UNUSED off_t length)
OF_DESCRIPTOR(fchmod, int descriptor, UNUSED mode_t mode)
OF_DESCRIPTOR(fchown, int descriptor, UNUSED uid_t user, UNUSED gid_t group)
OF_DESCRIPTOR(fchdir, int descriptor)

int open(const char* path, int flags, ...) {
  CANCELLATION_POINT();
  (void)flags;
  look_at(path);
  if (__whittle_nondet_bool()) return __whittle_fail(ENOENT, EACCES, EMFILE);
  return __whittle_new_descriptor(0);
}
int openat(int folder, const char* path, int flags, ...) {
  look_at(path);
  if (*path != '/' && !is_folder(folder)) return __whittle_bad_descriptor();
  return open(path, flags, 0);
}
int openat64(int folder, const char* path, int flags, ...) { return openat(folder, path, flags, 0); }
int open64(const char* path, int flags, ...) { return open(path, flags, 0); }
int creat(const char* path, mode_t mode) { return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
_Bool __whittle_release(int descriptor) {
  __whittle_atomic_begin();
  _Bool was_open = in_set(descriptor);
  if (was_open) open_descriptors &= ~(UINT32_C(1) << descriptor);
  __whittle_atomic_end();
  return was_open;
}
int close(int descriptor) {
  CANCELLATION_POINT();
  if (!__whittle_release(descriptor)) return __whittle_bad_descriptor();
  return outcome(EIO, EINTR, EIO);
}
int dup(int descriptor) {
  if (!__whittle_is_open(descriptor)) return __whittle_bad_descriptor();
  if (__whittle_nondet_bool()) return __whittle_fail(EMFILE, EMFILE, EMFILE);
  return __whittle_new_descriptor(0);
}
int dup2(int descriptor, int wanted) {
  if (!__whittle_is_open(descriptor) || wanted < 0) return __whittle_bad_descriptor();
  if (__whittle_nondet_bool()) return __whittle_fail(EINTR, EBUSY, EIO);
  if (wanted >= 32) __whittle_unsupported("dup2 to a descriptor above 31");
  __whittle_atomic_begin();
  open_descriptors |= UINT32_C(1) << wanted;
  __whittle_atomic_end();
  return wanted;
}
int pipe(int ends[2]) {
  if (__whittle_nondet_bool()) return __whittle_fail(EMFILE, ENFILE, EMFILE);
  int reading = __whittle_new_descriptor(0), writing = __whittle_new_descriptor(0);
  ends[0] = reading;
  ends[1] = writing;
  return 0;
}
int pipe2(int ends[2], int flags) {
  (void)flags;
  return pipe(ends);
}
int dup3(int descriptor, int wanted, int flags) {
  (void)flags;
  if (descriptor != wanted) return dup2(descriptor, wanted);
  errno = EINVAL;
  return -1;
}
OF_DESCRIPTOR(flock, int descriptor, UNUSED int operation)
OF_DESCRIPTOR(lockf, int descriptor, UNUSED int command, UNUSED off_t length)
OF_DESCRIPTOR(fallocate, int descriptor, UNUSED int mode, UNUSED off_t offset, UNUSED off_t length)
OF_DESCRIPTOR(syncfs, int descriptor)
// These return the error.
static int error_of(int result) { return result == 0 ? 0 : errno; }
int posix_fallocate(int descriptor, off_t offset, off_t length) { return error_of(fallocate(descriptor, 0, offset, length)); }
int posix_fadvise(int descriptor, off_t offset, off_t length, int advice) {
  (void)offset, (void)length, (void)advice;
  return error_of(__whittle_is_open(descriptor) ? outcome(EINVAL, ESPIPE, EINVAL) : __whittle_bad_descriptor());
}
#define ANY(type) ((type)(__whittle_nondet_u64() & (sizeof(type) == 4 ? INT32_MAX : INT64_MAX)))
#ifdef __LP64__  // else struct flock has one of two layouts
static int of_lock(int command, struct flock* lock) {
  volatile short kind = lock->l_type;
  if (kind != F_RDLCK && kind != F_WRLCK && (kind != F_UNLCK || command == F_GETLK)) {
    errno = EINVAL;
    return -1;
  }
  if (__whittle_nondet_bool()) return __whittle_fail(EAGAIN, EACCES, EDEADLK);
  if (command != F_GETLK) return 0;
  if (__whittle_nondet_bool()) {
    lock->l_type = F_UNLCK;
  } else {  // another process has this one
    lock->l_type = __whittle_nondet_bool() ? F_RDLCK : F_WRLCK;
    lock->l_whence = SEEK_SET;
    lock->l_start = ANY(off_t);
    lock->l_len = ANY(off_t);
    lock->l_pid = (pid_t)(1 + (__whittle_nondet_u32() & 0x3fffff));
  }
  return 0;
}
#endif
int fcntl(int descriptor, int command, ...) {
  if (!__whittle_is_open(descriptor)) return __whittle_bad_descriptor();
  switch (command) {
    case F_GETFD: return (int)(__whittle_nondet_u8() & FD_CLOEXEC);
    case F_GETFL: return (int)(__whittle_nondet_u32() & 0x7fffffff);
    case F_SETFD:
    case F_SETFL: return outcome(EINVAL, EINVAL, EINVAL);
    case F_DUPFD:
    case F_DUPFD_CLOEXEC: return dup(descriptor);
#ifdef __LP64__
    case F_SETLK:
    case F_SETLKW:
    case F_GETLK: {
      va_list arguments;
      va_start(arguments, command);
      int result = of_lock(command, va_arg(arguments, struct flock*));
      va_end(arguments);
      return result;
    }
#endif
    default: __whittle_unsupported("fcntl other than F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD and locks");
  }
}
off64_t lseek64(int descriptor, off64_t offset, int origin) {
  if (!__whittle_is_open(descriptor)) return __whittle_bad_descriptor();
  if (origin != SEEK_SET && origin != SEEK_CUR && origin != SEEK_END) {
    errno = EINVAL;
    return -1;
  }
  if (__whittle_nondet_bool()) return __whittle_fail(ESPIPE, EINVAL, EOVERFLOW);
  if (origin == SEEK_SET) {
    if (offset >= 0) return offset;
    errno = EINVAL;
    return -1;
  }
  return (off64_t)(__whittle_nondet_u64() & INT64_MAX);
}
off_t lseek(int descriptor, off_t offset, int origin) {
  off64_t position = lseek64(descriptor, offset, origin);
  if (position == (off_t)position) return (off_t)position;
  errno = EOVERFLOW;
  return -1;
}

// Any attributes; sizes and times are not negative. The last name is what programs with large files call.
static struct timespec any_time(void) {
  long nanoseconds = (long)(__whittle_nondet_u32() & 0x3fffffff);
  return (struct timespec){ANY(time_t), nanoseconds < 1000000000 ? nanoseconds : nanoseconds - 1000000000};
}
#define DESCRIBE(suffix)                                                                       \
  static int describe##suffix(struct stat##suffix* result) {                                   \
    if (__whittle_nondet_bool()) return __whittle_fail(ENOENT, EACCES, EIO);                   \
    __builtin_memset(result, 0, sizeof *result);                                               \
    result->st_dev = __whittle_nondet_u64();                                                   \
    result->st_ino = (ino##suffix##_t)__whittle_nondet_u64();                                  \
    result->st_mode = __whittle_nondet_u32() & 0177777;                                        \
    result->st_nlink = (nlink_t)__whittle_nondet_u64();                                        \
    result->st_uid = __whittle_nondet_u32();                                                   \
    result->st_gid = __whittle_nondet_u32();                                                   \
    result->st_rdev = __whittle_nondet_u64();                                                  \
    result->st_size = ANY(off##suffix##_t);                                                    \
    result->st_blksize = 1 + (blksize_t)(__whittle_nondet_u32() & 0x7ffffffe);                 \
    result->st_blocks = ANY(blkcnt##suffix##_t);                                               \
    result->st_atim = any_time();                                                              \
    result->st_mtim = any_time();                                                              \
    result->st_ctim = any_time();                                                              \
    return 0;                                                                                  \
  }                                                                                            \
  int stat##suffix(const char* path, struct stat##suffix* result) {                            \
    look_at(path);                                                                             \
    return describe##suffix(result);                                                           \
  }                                                                                            \
  int lstat##suffix(const char* path, struct stat##suffix* result) { return stat##suffix(path, result); } \
  int fstat##suffix(int descriptor, struct stat##suffix* result) {                             \
    return __whittle_is_open(descriptor) ? describe##suffix(result) : __whittle_bad_descriptor(); \
  }
DESCRIBE()
DESCRIBE(64)
int fstatat(int folder, const char* path, struct stat* result, int flags) {
  (void)flags;
  look_at(path);
  return is_folder(folder) ? describe(result) : __whittle_bad_descriptor();
}
int fstatat64(int folder, const char* path, struct stat64* result, int flags) {
  (void)flags;
  look_at(path);
  return is_folder(folder) ? describe64(result) : __whittle_bad_descriptor();
}

// Any short text without a zero byte or a slash; `room` is for it and its end.
#define MOST_TEXT 257  // with a slash and its end
static size_t any_name(char* to, size_t room) {
  size_t n = 0;
  while (n + 1 < room && n < __whittle_text_length() && __whittle_nondet_bool()) {
    char c = (char)__whittle_nondet_u8();
    to[n++] = c == 0 || c == '/' ? 'x' : c;
  }
  to[n] = 0;
  return n;
}
char* getcwd(char* to, size_t size) {
  if (to && size == 0) {
    errno = EINVAL;
    return 0;
  }
  char path[MOST_TEXT];
  path[0] = '/';
  size_t length = 1 + any_name(path + 1, sizeof path - 1);
  if (__whittle_nondet_bool()) {
    __whittle_fail(ENOENT, EACCES, EACCES);
    return 0;
  }
  if (size != 0 && length + 1 > size) {
    errno = ERANGE;
    return 0;
  }
  if (!to) to = malloc(size ? size : length + 1);
  if (!to) return 0;
  for (size_t i = 0; i <= length; i++) to[i] = path[i];
  return to;
}
ssize_t readlink(const char* path, char* to, size_t size) {
  look_at(path);
  if (__whittle_nondet_bool()) return __whittle_fail(ENOENT, EINVAL, EACCES);
  char text[MOST_TEXT];
  size_t length = any_name(text, sizeof text);
  if (length > size) length = size;
  for (size_t i = 0; i < length; i++) to[i] = text[i];
  return (ssize_t)length;
}
ssize_t readlinkat(int folder, const char* path, char* to, size_t size) {
  return is_folder(folder) ? readlink(path, to, size) : __whittle_bad_descriptor();
}
// Errors are results here, not errno.
static int name_into(char* to, size_t size) {
  if (__whittle_nondet_bool()) return ENOTTY;
  char name[MOST_TEXT];
  size_t length = any_name(name, sizeof name);
  if (length >= size) return ERANGE;
  for (size_t i = 0; i <= length; i++) to[i] = name[i];
  return 0;
}
int ttyname_r(int descriptor, char* to, size_t size) { return __whittle_is_open(descriptor) ? name_into(to, size) : EBADF; }
int getlogin_r(char* to, size_t size) { return name_into(to, size); }
int uname(struct utsname* system) {
  any_name(system->sysname, sizeof system->sysname);
  any_name(system->nodename, sizeof system->nodename);
  any_name(system->release, sizeof system->release);
  any_name(system->version, sizeof system->version);
  any_name(system->machine, sizeof system->machine);
  return 0;
}
long gethostid(void) { return (int32_t)__whittle_nondet_u32(); }
int tcgetattr(int descriptor, struct termios* terminal) {
  if (!__whittle_is_open(descriptor)) return __whittle_bad_descriptor();
  if (__whittle_nondet_bool()) return __whittle_fail(ENOTTY, ENOTTY, ENOTTY);
  __whittle_nondet_memory(terminal, sizeof *terminal);
  return 0;
}
// The log takes what it is given; the arguments are looked at as printf does.
void vsyslog(int priority, const char* format, va_list arguments) {
  (void)priority;
  vsnprintf(NULL, 0, format, arguments);
}
void syslog(int priority, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsyslog(priority, format, arguments);
  va_end(arguments);
}
void openlog(const char* name, int option, int facility) { (void)name, (void)option, (void)facility; }
void closelog(void) {}
int gethostname(char* to, size_t size) {
  char name[MOST_TEXT];
  size_t length = any_name(name, sizeof name);
  if (length >= size) {
    errno = ENAMETOOLONG;
    return -1;
  }
  for (size_t i = 0; i <= length; i++) to[i] = name[i];
  return 0;
}
int mkstemp(char* pattern) {
  size_t length = strlen(pattern);
  for (size_t i = 1; i <= 6; i++)
    if (length < i || pattern[length - i] != 'X') {
      errno = EINVAL;
      return -1;
    }
  for (size_t i = 1; i <= 6; i++) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    uint8_t which = __whittle_nondet_u8() & 63;
    pattern[length - i] = letters[which < 62 ? which : which - 62];
  }
  return open(pattern, O_RDWR | O_CREAT | O_EXCL, 0600);
}

char* mkdtemp(char* pattern) {
  int descriptor = mkstemp(pattern);  // the name is made in the same way
  if (descriptor < 0) return 0;
  __whittle_release(descriptor);
  return pattern;
}
int mkostemp(char* pattern, int flags) {
  (void)flags;
  return mkstemp(pattern);
}

struct __dirstream {
  struct dirent entry;
  int descriptor;  // 0: none yet
};
DIR* opendir(const char* path) {
  look_at(path);
  if (__whittle_nondet_bool()) {
    __whittle_fail(ENOENT, EACCES, ENOTDIR);
    return 0;
  }
  return __whittle_heap_alloc(sizeof(struct __dirstream), 1);
}
struct dirent* readdir(DIR* directory) {
  if (__whittle_nondet_bool()) {  // the end, or an error
    if (__whittle_nondet_bool()) __whittle_fail(EIO, EOVERFLOW, ENOENT);
    return 0;
  }
  directory->entry.d_ino = (ino_t)__whittle_nondet_u64();
  directory->entry.d_type = __whittle_nondet_u8() & 15;
  if (any_name(directory->entry.d_name, sizeof directory->entry.d_name) == 0) strcpy(directory->entry.d_name, ".");
  return &directory->entry;
}
void rewinddir(DIR* directory) { (void)*(volatile int*)&directory->descriptor; }
int dirfd(DIR* directory) {
  if (directory->descriptor == 0) directory->descriptor = __whittle_new_descriptor(3);
  return directory->descriptor;
}
DIR* fdopendir(int descriptor) {
  if (!__whittle_is_open(descriptor)) {
    __whittle_bad_descriptor();
    return 0;
  }
  if (__whittle_nondet_bool()) {
    __whittle_fail(ENOTDIR, ENOMEM, ENOTDIR);
    return 0;
  }
  DIR* directory = __whittle_heap_alloc(sizeof(struct __dirstream), 1);
  directory->descriptor = descriptor;
  return directory;
}
int closedir(DIR* directory) {
  if (directory->descriptor != 0) __whittle_release(directory->descriptor);
  __whittle_heap_free(directory);
  return outcome(EINTR, EIO, EINTR);
}

// Memory of its own: one object of whole pages. It starts at a multiple of 16.
#define PAGE 4096
static size_t whole_pages(size_t size) { return (size + PAGE - 1) / PAGE * PAGE; }
void* mmap(void* wish, size_t size, int protection, int flags, int descriptor, off_t offset) {
  (void)wish, (void)descriptor, (void)offset;
  if (!(flags & MAP_ANONYMOUS)) __whittle_unsupported("mmap of a file");
  if (flags & MAP_FIXED) __whittle_unsupported("mmap with MAP_FIXED");
  if (__whittle_uses("fork")) {
    if (flags & MAP_SHARED) __whittle_unsupported("memory that processes share");
  }
  if ((protection & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE))
    __whittle_unsupported("mmap of memory that cannot be read and written");
  if (size == 0 || size > PTRDIFF_MAX) {
    errno = size ? ENOMEM : EINVAL;
    return MAP_FAILED;
  }
  if (__whittle_nondet_bool()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return __whittle_heap_alloc(whole_pages(size), 1);
}
void* mmap64(void* wish, size_t size, int protection, int flags, int descriptor, off64_t offset) {
  return mmap(wish, size, protection, flags, descriptor, (off_t)offset);
}
int munmap(void* start, size_t size) {
  if (size == 0) {
    errno = EINVAL;
    return -1;
  }
  if (whole_pages(size) != __whittle_object_size(start)) __whittle_unsupported("munmap of a part of a mapping");
  __whittle_heap_free(start);
  return 0;
}
int madvise(void* start, size_t size, int advice) {
  (void)start, (void)size;
  if (advice == MADV_DONTNEED || advice == MADV_FREE) __whittle_unsupported("madvise that gives pages back");
  return 0;
}

// An absolute name; what it leads to is not known.
char* realpath(const char* path, char* to) {
  if (!path) {
    errno = EINVAL;
    return 0;
  }
  look_at(path);
  if (__whittle_nondet_bool()) {
    __whittle_fail(ENOENT, EACCES, ELOOP);
    return 0;
  }
  char name[MOST_TEXT];
  name[0] = '/';
  any_name(name + 1, sizeof name - 1);
  const size_t size = strlen(name) + 1;
  if (to)
    to[PATH_MAX - 1] = 0;  // there must be room for the longest name
  else if (!(to = malloc(size)))
    return 0;
  return memcpy(to, name, size);
}
static _Bool is_speed(speed_t speed) { return speed <= B38400 || (speed >= B57600 && speed <= B4000000); }
int cfsetospeed(struct termios* terminal, speed_t speed) {
  if (!is_speed(speed)) {
    errno = EINVAL;
    return -1;
  }
  terminal->c_cflag = (terminal->c_cflag & ~(tcflag_t)(CBAUD | CBAUDEX)) | speed;
  terminal->c_ospeed = speed;
  return 0;
}
// An input speed of zero means that of the output: a bit says so.
#define SPEED_OF_INPUT 020000000000u
int cfsetispeed(struct termios* terminal, speed_t speed) {
  if (!is_speed(speed)) {
    errno = EINVAL;
    return -1;
  }
  terminal->c_ispeed = speed;
  if (speed == 0) {
    terminal->c_iflag |= SPEED_OF_INPUT;
  } else {
    terminal->c_iflag &= ~SPEED_OF_INPUT;
    terminal->c_cflag = (terminal->c_cflag & ~(tcflag_t)(CBAUD | CBAUDEX)) | speed;
  }
  return 0;
}
int cfsetspeed(struct termios* terminal, speed_t speed) {
  if (speed == 0 || !is_speed(speed)) __whittle_unsupported("cfsetspeed with a speed that is no B... constant");
  cfsetispeed(terminal, speed);
  return cfsetospeed(terminal, speed);
}
speed_t cfgetospeed(const struct termios* terminal) { return terminal->c_cflag & (CBAUD | CBAUDEX); }
speed_t cfgetispeed(const struct termios* terminal) { return terminal->c_iflag & SPEED_OF_INPUT ? 0 : cfgetospeed(terminal); }
void cfmakeraw(struct termios* terminal) {
  terminal->c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
  terminal->c_oflag &= ~(tcflag_t)OPOST;
  terminal->c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
  terminal->c_cflag = (terminal->c_cflag & ~(tcflag_t)(CSIZE | PARENB)) | CS8;
  terminal->c_cc[VMIN] = 1;
  terminal->c_cc[VTIME] = 0;
}
OF_DESCRIPTOR(tcflow, int descriptor, UNUSED int action)
OF_DESCRIPTOR(tcflush, int descriptor, UNUSED int queue)
OF_DESCRIPTOR(tcdrain, int descriptor)
OF_DESCRIPTOR(tcsendbreak, int descriptor, UNUSED int duration)
int tcsetattr(int descriptor, int when, const struct termios* terminal) {
  if (when < TCSANOW || when > TCSAFLUSH) {
    errno = EINVAL;
    return -1;
  }
  struct termios seen;
  memcpy(&seen, terminal, sizeof seen);
  return __whittle_is_open(descriptor) ? outcome(ENOTTY, EINTR, EIO) : __whittle_bad_descriptor();
}
