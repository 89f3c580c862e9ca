// Locales as objects. There is one, "C": the functions that take a locale do what those without it do.
#define _GNU_SOURCE
#define __NO_CTYPE
#include <ctype.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

#include "primitives.h"

// The header's macros look into it.
static locale_t made(void) {
  locale_t locale = __whittle_heap_alloc(sizeof *locale, 1);
  locale->__ctype_b = *__ctype_b_loc();
  locale->__ctype_tolower = *__ctype_tolower_loc();
  locale->__ctype_toupper = *__ctype_toupper_loc();
  return locale;
}
static _Thread_local locale_t current = LC_GLOBAL_LOCALE;
locale_t newlocale(int mask, const char* name, locale_t base) {
  (void)mask;
  if (*name && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0) {
    if (__whittle_nondet_bool()) __whittle_unsupported("locale other than C");
    errno = ENOENT;
    return 0;
  }
  return base ? base : made();
}
locale_t duplocale(locale_t locale) {
  (void)locale;
  return made();
}
void freelocale(locale_t locale) { __whittle_heap_free(locale); }
locale_t uselocale(locale_t locale) {
  locale_t before = current;
  if (locale) current = locale;
  return before;
}

#define OF_CHARACTER(name, type)             \
  int name##_l(type character, locale_t locale) { \
    (void)locale;                            \
    return name(character);                  \
  }
OF_CHARACTER(isalnum, int)
OF_CHARACTER(isalpha, int)
OF_CHARACTER(isblank, int)
OF_CHARACTER(iscntrl, int)
OF_CHARACTER(isdigit, int)
OF_CHARACTER(isgraph, int)
OF_CHARACTER(islower, int)
OF_CHARACTER(isprint, int)
OF_CHARACTER(ispunct, int)
OF_CHARACTER(isspace, int)
OF_CHARACTER(isupper, int)
OF_CHARACTER(isxdigit, int)
OF_CHARACTER(tolower, int)
OF_CHARACTER(toupper, int)
int strcoll_l(const char* a, const char* b, locale_t locale) {
  (void)locale;
  return strcoll(a, b);
}
size_t strxfrm_l(char* to, const char* from, size_t size, locale_t locale) {
  (void)locale;
  return strxfrm(to, from, size);
}
int strcasecmp_l(const char* a, const char* b, locale_t locale) {
  (void)locale;
  return strcasecmp(a, b);
}
int strncasecmp_l(const char* a, const char* b, size_t count, locale_t locale) {
  (void)locale;
  return strncasecmp(a, b, count);
}
char* strerror_l(int error, locale_t locale) {
  (void)locale;
  return strerror(error);
}
double strtod_l(const char* text, char** end, locale_t locale) {
  (void)locale;
  return strtod(text, end);
}
float strtof_l(const char* text, char** end, locale_t locale) {
  (void)locale;
  return strtof(text, end);
}
long strtol_l(const char* text, char** end, int base, locale_t locale) {
  (void)locale;
  return strtol(text, end, base);
}
unsigned long strtoul_l(const char* text, char** end, int base, locale_t locale) {
  (void)locale;
  return strtoul(text, end, base);
}
size_t strftime_l(char* to, size_t size, const char* format, const struct tm* time, locale_t locale) {
  (void)locale;
  return strftime(to, size, format, time);
}

// Of the C locale.
char* nl_langinfo(nl_item item) {
  static char empty[] = "", codeset[] = "ANSI_X3.4-1968", point[] = ".", yes[] = "^[yY]", no[] = "^[nN]";
  switch (item) {
    case CODESET: return codeset;
    case RADIXCHAR: return point;
    case THOUSEP: return empty;
    case YESEXPR: return yes;
    case NOEXPR: return no;
    default: __whittle_unsupported("nl_langinfo of an item other than CODESET, RADIXCHAR, THOUSEP, YESEXPR, NOEXPR");
  }
}
char* nl_langinfo_l(nl_item item, locale_t locale) {
  (void)locale;
  return nl_langinfo(item);
}
