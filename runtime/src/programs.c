// Other programs: exec ends this one or fails. Groups of the process.
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "primitives.h"

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
