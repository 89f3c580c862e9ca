// Small functions of libc that have no relatives here.
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <locale.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "primitives.h"
#undef basename

imaxdiv_t imaxdiv(intmax_t a, intmax_t b) { return (imaxdiv_t){a / b, a % b}; }

// libgen.h's basename and dirname change their argument.
static char dot[] = ".", slash[] = "/";
static void strip_slashes(char* path) {
  for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--) path[n - 1] = 0;
}
char* __xpg_basename(char* path) {
  if (!path || !*path) return dot;
  strip_slashes(path);
  char* last = strrchr(path, '/');
  return last && last[1] ? last + 1 : path;
}
char* dirname(char* path) {
  if (!path || !*path) return dot;
  strip_slashes(path);
  char* last = strrchr(path, '/');
  if (!last) return dot;
  while (last > path && last[-1] == '/') last--;
  if (last == path) return slash;
  *last = 0;
  return path;
}
// string.h's does not.
char* gnu_basename(const char* path) __asm__("basename");
char* gnu_basename(const char* path) {
  char* last = strrchr(path, '/');
  return last ? last + 1 : (char*)path;
}

// The locale is "C", also that of the environment (an assumption of the verdict, where it is used).
char* setlocale(int category, const char* name) {
  static char current[] = "C";
  if (category < 0 || category > LC_IDENTIFICATION) return 0;
  if (name && *name && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0)
    __whittle_unsupported("locale other than C");
  return current;
}
struct lconv* localeconv(void) {
  static char empty[] = "", point[] = ".";
  static struct lconv plain;
  plain = (struct lconv){.decimal_point = point, .thousands_sep = empty, .grouping = empty, .int_curr_symbol = empty,
                         .currency_symbol = empty, .mon_decimal_point = empty, .mon_thousands_sep = empty,
                         .mon_grouping = empty, .positive_sign = empty, .negative_sign = empty};
  __builtin_memset(&plain.int_frac_digits, 127, sizeof plain - __builtin_offsetof(struct lconv, int_frac_digits));
  return &plain;
}

// Messages to stderr. The program is called "program" (argv[0]).
char* program_invocation_name = "program";
char* program_invocation_short_name = "program";
static void complain(int error, const char* format, va_list arguments) {
  fprintf(stderr, "%s: ", program_invocation_short_name);
  if (format) vfprintf(stderr, format, arguments);
  if (error >= 0) fprintf(stderr, "%s%s", format ? ": " : "", strerror(error));
  fprintf(stderr, "\n");
}
#define VARIADIC(call)      \
  va_list arguments;        \
  va_start(arguments, format); \
  call;                     \
  va_end(arguments)
void vwarn(const char* format, va_list arguments) { complain(errno, format, arguments); }
void vwarnx(const char* format, va_list arguments) { complain(-1, format, arguments); }
void warn(const char* format, ...) { VARIADIC(vwarn(format, arguments)); }
void warnx(const char* format, ...) { VARIADIC(vwarnx(format, arguments)); }
void verr(int status, const char* format, va_list arguments) {
  vwarn(format, arguments);
  exit(status);
}
void verrx(int status, const char* format, va_list arguments) {
  vwarnx(format, arguments);
  exit(status);
}
void err(int status, const char* format, ...) {
  VARIADIC(vwarn(format, arguments));
  exit(status);
}
void errx(int status, const char* format, ...) {
  VARIADIC(vwarnx(format, arguments));
  exit(status);
}

// Sets of signals are numbers (signals.c has what they are for).
static _Bool bad_signal(int number) {
  if (number >= 1 && number <= 64) return 0;
  errno = EINVAL;
  return 1;
}
#define WORD(number) (((unsigned)(number) - 1) / (8 * sizeof(unsigned long)))
#define BIT(number) (1ul << (((unsigned)(number) - 1) % (8 * sizeof(unsigned long))))
int sigemptyset(sigset_t* set) {
  __builtin_memset(set, 0, sizeof *set);
  return 0;
}
int sigfillset(sigset_t* set) {
  __builtin_memset(set, 255, sizeof *set);
  return 0;
}
int sigaddset(sigset_t* set, int number) {
  if (bad_signal(number)) return -1;
  set->__val[WORD(number)] |= BIT(number);
  return 0;
}
int sigdelset(sigset_t* set, int number) {
  if (bad_signal(number)) return -1;
  set->__val[WORD(number)] &= ~BIT(number);
  return 0;
}
int sigismember(const sigset_t* set, int number) {
  if (bad_signal(number)) return -1;
  return (set->__val[WORD(number)] & BIT(number)) != 0;
}

void* lsearch(const void* key, void* base, size_t* count, size_t size, int (*compare)(const void*, const void*)) {
  void* found = lfind(key, base, count, size, compare);
  if (found) return found;
  found = (char*)base + *count * size;
  memcpy(found, key, size);
  ++*count;
  return found;
}
struct element {
  struct element *next, *previous;
};
void insque(void* item, void* after) {
  struct element *new = item, *old = after;
  new->previous = old;
  new->next = old ? old->next : 0;
  if (old) old->next = new;
  if (new->next) new->next->previous = new;
}
void remque(void* item) {
  struct element* gone = item;
  if (gone->previous) gone->previous->next = gone->next;
  if (gone->next) gone->next->previous = gone->previous;
}
void swab(const void* restrict from, void* restrict to, ssize_t n) {
  const char* s = from;
  char* d = to;
  for (ssize_t i = 0; i + 1 < n; i += 2) {
    char first = s[i], second = s[i + 1];
    d[i] = second;
    d[i + 1] = first;
  }
}

// Limits of the system: those that are fixed here have their values, others are any or not defined.
int getpagesize(void) { return 4096; }
long sysconf(int name) {
  long any = (long)(__whittle_nondet_u32() & 0x7fffffff);
  switch (name) {
    case _SC_PAGESIZE: return 4096;
    case _SC_CLK_TCK: return 100;
    case _SC_NPROCESSORS_ONLN:
    case _SC_NPROCESSORS_CONF: return 1 + (any & 0x3fff);
    case _SC_LINE_MAX:
    case _SC_PHYS_PAGES:
    case _SC_AVPHYS_PAGES: return any;
    default: break;
  }
  if (!__whittle_nondet_bool()) return any;
  if (__whittle_nondet_bool()) errno = EINVAL;
  return -1;
}
int getdtablesize(void) { return (int)(__whittle_nondet_u32() & 0x7fffffff); }
