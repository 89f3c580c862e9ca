// Other programs and processes. exec ends this program or fails. fork may fail; else the run goes on as the parent or as the child, which
// share nothing that is followed: files and pipes give any bytes anyway. Groups of the process.
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <stdarg.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"
#include "threads.h"

static void look_at_all(char* const texts[]) {
  for (unsigned i = 0; texts[i]; i++) (void)strlen(texts[i]);
}
static int become(const char* program) {
  (void)strlen(program);
  if (__whittle_nondet_bool()) __whittle_halt(__whittle_nondet_u8(), "exit");
  return __whittle_fail(ENOENT, EACCES, E2BIG);
}
int execv(const char* program, char* const arguments[]) {
  look_at_all(arguments);
  return become(program);
}
int execvp(const char* program, char* const arguments[]) { return execv(program, arguments); }
int execve(const char* program, char* const arguments[], char* const environment[]) {
  if (environment) look_at_all(environment);
  return execv(program, arguments);
}
int execvpe(const char* program, char* const arguments[], char* const environment[]) {
  return execve(program, arguments, environment);
}
static int become_with(const char* program, const char* first, va_list more, _Bool environment) {
  for (const char* one = first; one; one = va_arg(more, const char*)) (void)strlen(one);
  if (environment) look_at_all(va_arg(more, char* const*));
  return become(program);
}
#define EXECL(name, environment)                                    \
  int name(const char* program, const char* first, ...) {           \
    va_list more;                                                   \
    va_start(more, first);                                          \
    int result = become_with(program, first, more, environment);    \
    va_end(more);                                                   \
    return result;                                                  \
  }
EXECL(execl, 0)
EXECL(execlp, 0)
EXECL(execle, 1)

int getgroups(int room, gid_t groups[]) {
  static _Bool known;
  static int count;  // it does not change
  __whittle_atomic_begin();
  if (!known) {
    uint16_t any = __whittle_nondet_u16();
    count = any + 1;
    if (__whittle_nondet_bool()) count = 0;
    known = 1;
  }
  __whittle_atomic_end();
  if (room < 0 || (room > 0 && count > room)) {
    errno = EINVAL;
    return -1;
  }
  for (int i = 0; room > 0 && i < count; i++) groups[i] = __whittle_nondet_u32();
  return count;
}

// Children that were not waited for yet. A process starts without any.
static unsigned children;
static _Bool has_child(void) {
  __whittle_atomic_begin();
  _Bool any = children > 0;
  __whittle_atomic_end();
  return any;
}
static void new_child(void) {
  __whittle_atomic_begin();
  children++;
  __whittle_atomic_end();
}
// Takes the end of a child; false if another thread was first.
static _Bool take_child(void) {
  __whittle_atomic_begin();
  _Bool any = children > 0;
  children -= any;
  __whittle_atomic_end();
  return any;
}
pid_t __whittle_any_process(void);
void __whittle_new_process(void);  // getpid is another number from here on
pid_t fork(void) {
  if (__whittle_nondet_bool()) return __whittle_fail(EAGAIN, ENOMEM, ENOSYS);
  if (__whittle_nondet_bool()) {
    new_child();
    return __whittle_any_process();
  }
  if (!__whittle_is_only_thread()) __whittle_unsupported("fork in a program with several threads");
  __whittle_new_process();
  children = 0;
  return 0;
}
// How a child ended: with a status, or by a signal.
static int any_end(void) {
  uint8_t value = __whittle_nondet_u8();
  return __whittle_nondet_bool() ? value << 8 : (1 + value % 64) | (value & 0x80);
}
static pid_t no_child(void) {
  errno = ECHILD;
  return -1;
}
pid_t waitpid(pid_t process, int* status, int options) {
  CANCELLATION_POINT();
  if (!has_child()) return no_child();
  if (__whittle_nondet_bool()) return __whittle_fail(ECHILD, EINTR, EINVAL);
  if (options & WNOHANG && __whittle_nondet_bool()) return 0;
  int news;
  if (options & WUNTRACED && __whittle_nondet_bool()) {
    news = (1 + __whittle_nondet_u8() % 64) << 8 | 0x7f;  // stopped
  } else if (options & WCONTINUED && __whittle_nondet_bool()) {
    news = 0xffff;
  } else {
    if (!take_child()) return no_child();
    news = any_end();
  }
  if (status) *status = news;
  return process > 0 ? process : __whittle_any_process();
}
pid_t wait(int* status) { return waitpid(-1, status, 0); }
pid_t wait4(pid_t process, int* status, int options, struct rusage* usage) {
  pid_t result = waitpid(process, status, options);
  if (result > 0 && usage) getrusage(RUSAGE_CHILDREN, usage);
  return result;
}
pid_t wait3(int* status, int options, struct rusage* usage) { return wait4(-1, status, options, usage); }

// A pipe to a command: a stream of which nothing is known. What pclose gives is how the command ended.
FILE* popen(const char* command, const char* mode) {
  (void)strlen(command);
  if ((*mode != 'r' && *mode != 'w') || (mode[1] && (mode[1] != 'e' || mode[2]))) {
    errno = EINVAL;
    return 0;
  }
  FILE* file = fopen("pipe", *mode == 'r' ? "r" : "w");
  if (file) new_child();
  return file;
}
int pclose(FILE* file) {
  fclose(file);
  if (__whittle_nondet_bool() || !take_child()) return __whittle_fail(ECHILD, EINTR, ECHILD);
  return any_end();
}
