// Calls that ask the system for something that the program notices little of: they succeed, or fail with an error.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/times.h>
#include <unistd.h>

#include "files.h"

static int outcome(int first, int second, int third) {
  return __whittle_nondet_bool() ? __whittle_fail(first, second, third) : 0;
}
static long any_long(void) { return (long)__whittle_nondet_u64(); }

// A thread's name, and what has no effect that a program can see. What changes how it may be killed or what it may do is refused.
int prctl(int option, ...) {
  va_list arguments;
  va_start(arguments, option);
  char* name = 0;
  if (option == PR_SET_NAME || option == PR_GET_NAME) name = va_arg(arguments, char*);
  va_end(arguments);
  switch (option) {
    case PR_SET_NAME:
      for (int i = 0; i < 15 && name[i]; i++) {
      }
      return 0;
    case PR_GET_NAME:
      for (int i = 0; i < 15; i++) name[i] = (char)__whittle_nondet_u8();
      name[15] = 0;
      return 0;
    case PR_SET_PDEATHSIG:
    case PR_SET_DUMPABLE:
    case PR_SET_KEEPCAPS:
    case PR_SET_NO_NEW_PRIVS:
    case PR_SET_TIMERSLACK:
    case PR_SET_CHILD_SUBREAPER: return outcome(EINVAL, EPERM, EACCES);
    case PR_GET_DUMPABLE:
    case PR_GET_KEEPCAPS:
    case PR_GET_NO_NEW_PRIVS: return __whittle_nondet_bool();
    default: __whittle_unsupported("prctl with this option");
  }
}

int nice(int by) {
  (void)by;
  if (__whittle_nondet_bool()) return __whittle_fail(EPERM, EPERM, EPERM);
  int value = (int)(__whittle_nondet_u8() % 40) - 20;
  return value;
}
int getpriority(__priority_which_t which, id_t who) {
  (void)which, (void)who;
  if (__whittle_nondet_bool()) return __whittle_fail(ESRCH, EINVAL, ESRCH);
  return (int)(__whittle_nondet_u8() % 40) - 20;
}
int setpgrp(void) { return setpgid(0, 0); }
int sched_setscheduler(pid_t process, int policy, const struct sched_param* parameters) {
  (void)process, (void)policy;
  (void)*(volatile const int*)&parameters->sched_priority;
  return outcome(EPERM, EINVAL, ESRCH);
}
int sched_setparam(pid_t process, const struct sched_param* parameters) { return sched_setscheduler(process, 0, parameters); }
int sched_getscheduler(pid_t process) {
  (void)process;
  return __whittle_nondet_bool() ? __whittle_fail(ESRCH, EPERM, EINVAL) : (int)(__whittle_nondet_u8() % 7);
}
int sched_getparam(pid_t process, struct sched_param* parameters) {
  (void)process;
  if (__whittle_nondet_bool()) return __whittle_fail(ESRCH, EPERM, EINVAL);
  parameters->sched_priority = __whittle_nondet_u8() % 100;
  return 0;
}
int sched_rr_get_interval(pid_t process, struct timespec* interval) {
  (void)process;
  if (__whittle_nondet_bool()) return __whittle_fail(ESRCH, EINVAL, ENOSYS);
  interval->tv_sec = __whittle_nondet_u8();
  interval->tv_nsec = __whittle_nondet_u32() % 1000000000;
  return 0;
}

// Memory stays as it is. Only protection that takes something away can be noticed.
int mlock(const void* start, size_t size) {
  (void)start, (void)size;
  return outcome(ENOMEM, EPERM, EAGAIN);
}
int munlock(const void* start, size_t size) { return mlock(start, size); }
int mlockall(int flags) {
  (void)flags;
  return outcome(ENOMEM, EPERM, EINVAL);
}
int munlockall(void) { return 0; }
int msync(void* start, size_t size, int flags) {
  (void)start, (void)size, (void)flags;
  return outcome(EBUSY, EINVAL, ENOMEM);
}
int mprotect(void* start, size_t size, int protection) {
  (void)start, (void)size;
  if ((protection & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE)) __whittle_unsupported("mprotect that forbids to read or to write");
  return outcome(EACCES, EINVAL, ENOMEM);
}
int posix_madvise(void* start, size_t size, int advice) {
  (void)start, (void)size, (void)advice;
  return __whittle_nondet_bool() ? ENOMEM : 0;
}

// Limits and figures of the system.
long pathconf(const char* path, int name) {
  (void)strlen(path), (void)name;
  return __whittle_nondet_bool() ? __whittle_fail(EINVAL, ENOENT, EACCES) : any_long();
}
long fpathconf(int descriptor, int name) {
  (void)name;
  if (!__whittle_is_open(descriptor)) return __whittle_bad_descriptor();
  return __whittle_nondet_bool() ? __whittle_fail(EINVAL, EINVAL, EINVAL) : any_long();
}
static int any_figures(struct statvfs* figures) {
  if (__whittle_nondet_bool()) return __whittle_fail(EIO, ENOENT, EACCES);
  __builtin_memset(figures, 0, sizeof *figures);
  figures->f_bsize = __whittle_nondet_u32();
  figures->f_frsize = __whittle_nondet_u32();
  __whittle_assume(figures->f_bsize != 0 && figures->f_frsize != 0);
  figures->f_blocks = (fsblkcnt_t)__whittle_nondet_u64();
  figures->f_bfree = (fsblkcnt_t)__whittle_nondet_u64();
  figures->f_bavail = (fsblkcnt_t)__whittle_nondet_u64();
  figures->f_files = (fsfilcnt_t)__whittle_nondet_u64();
  figures->f_ffree = (fsfilcnt_t)__whittle_nondet_u64();
  figures->f_flag = __whittle_nondet_u32();
  figures->f_namemax = __whittle_nondet_u32();
  return 0;
}
int statvfs(const char* path, struct statvfs* figures) {
  (void)strlen(path);
  return any_figures(figures);
}
int fstatvfs(int descriptor, struct statvfs* figures) {
  return __whittle_is_open(descriptor) ? any_figures(figures) : __whittle_bad_descriptor();
}
clock_t times(struct tms* figures) {
  if (__whittle_nondet_bool()) return __whittle_fail(EOVERFLOW, EOVERFLOW, EOVERFLOW);
  if (figures) {
    figures->tms_utime = (clock_t)(__whittle_nondet_u32() >> 1);
    figures->tms_stime = (clock_t)(__whittle_nondet_u32() >> 1);
    figures->tms_cutime = (clock_t)(__whittle_nondet_u32() >> 1);
    figures->tms_cstime = (clock_t)(__whittle_nondet_u32() >> 1);
  }
  return (clock_t)(__whittle_nondet_u32() >> 1);
}
key_t ftok(const char* path, int project) {
  (void)strlen(path), (void)project;
  return __whittle_nondet_bool() ? __whittle_fail(EACCES, ENOENT, ENOTDIR) : (key_t)__whittle_nondet_u32();
}
char* ctermid(char* to) {
  static char own[L_ctermid];
  return strcpy(to ? to : own, "/dev/tty");
}

// SIGRTMIN and SIGRTMAX: the library keeps two for itself.
int __libc_current_sigrtmin(void) { return 34; }
int __libc_current_sigrtmax(void) { return 64; }

// The GNU library's words for signals.
char* strsignal(int number) {
  static const char* const words[] = {
      "Hangup", "Interrupt", "Quit", "Illegal instruction", "Trace/breakpoint trap", "Aborted", "Bus error", "Floating point exception", "Killed",
      "User defined signal 1", "Segmentation fault", "User defined signal 2", "Broken pipe", "Alarm clock", "Terminated", "Stack fault",
      "Child exited", "Continued", "Stopped (signal)", "Stopped", "Stopped (tty input)", "Stopped (tty output)", "Urgent I/O condition",
      "CPU time limit exceeded", "File size limit exceeded", "Virtual timer expired", "Profiling timer expired", "Window changed", "I/O possible",
      "Power failure", "Bad system call"};
  static char text[40];
  if (number >= 1 && number <= 31) return (char*)words[number - 1];
  if (number >= 34 && number <= 64)
    snprintf(text, sizeof text, "Real-time signal %d", number - 34);
  else
    snprintf(text, sizeof text, "Unknown signal %d", number);
  return text;
}
void psignal(int number, const char* before) {
  if (before && *before) fprintf(stderr, "%s: ", before);
  fprintf(stderr, "%s\n", strsignal(number));
}
// A stack of its own for handlers: where a handler's variables are is not seen.
int sigaltstack(const stack_t* stack, stack_t* before) {
  if (before) *before = (stack_t){.ss_flags = SS_DISABLE};
  if (before && __whittle_nondet_bool()) __whittle_unsupported("sigaltstack that asks for the stack before");
  if (stack && !(stack->ss_flags & SS_DISABLE) && stack->ss_size < (size_t)sysconf(_SC_MINSIGSTKSZ)) return __whittle_fail(ENOMEM, ENOMEM, ENOMEM);
  return stack ? outcome(EPERM, EINVAL, ENOMEM) : 0;
}

// Places in a folder: nothing is known of what is there, so it is nothing new to go back.
long telldir(DIR* directory) {
  rewinddir(directory);
  return any_long();
}
void seekdir(DIR* directory, long place) {
  (void)place;
  rewinddir(directory);
}
int alphasort(const struct dirent** a, const struct dirent** b) { return strcoll((*a)->d_name, (*b)->d_name); }
int scandir(const char* path, struct dirent*** list, int (*wanted)(const struct dirent*), int (*compare)(const struct dirent**, const struct dirent**)) {
  DIR* directory = opendir(path);
  if (!directory) return -1;
  struct dirent** found = 0;
  size_t count = 0;
  for (struct dirent* entry = readdir(directory); entry; entry = readdir(directory)) {
    if (wanted && !wanted(entry)) continue;
    struct dirent* copy = malloc(sizeof *copy);
    struct dirent** longer = realloc(found, (count + 1) * sizeof *found);
    if (!copy || !longer) __whittle_unsupported("scandir without memory");
    *copy = *entry;
    found = longer;
    found[count++] = copy;
  }
  closedir(directory);
  if (compare) qsort(found, count, sizeof *found, (int (*)(const void*, const void*))compare);
  *list = found;
  return (int)count;
}
