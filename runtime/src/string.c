// string.h and strings.h. What copies or fills a known number of bytes is one statement; the rest are the obvious
// loops.
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "compare.h"

#undef strdupa
#undef basename

// Undefined if the two overlap; compilers copy structs onto themselves, so the same place twice is let pass.
static void expect_apart(const void* to, const void* from, size_t n) {
  uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;
  __whittle_check(a == b || (a < b ? b - a : a - b) >= n, WHITTLE_VALID_DEREF, "memcpy between places that overlap");
}
void* memcpy(void* to, const void* from, size_t n) {
  expect_apart(to, from, n);
  __builtin_memcpy(to, from, n);
  return to;
}
void* mempcpy(void* to, const void* from, size_t n) {
  expect_apart(to, from, n);
  __builtin_memcpy(to, from, n);
  return (char*)to + n;
}
// The text that was copied, with its end.
static void expect_texts_apart(const char* to, const char* from, size_t length) {
  uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;
  __whittle_check((a < b ? b - a : a - b) > length, WHITTLE_VALID_DEREF, "copy of a text onto itself");
}
void* memmove(void* to, const void* from, size_t n) {
  __builtin_memmove(to, from, n);
  return to;
}
void* memset(void* to, int byte, size_t n) {
  __builtin_memset(to, byte, n);
  return to;
}
void bcopy(const void* from, void* to, size_t n) { __builtin_memmove(to, from, n); }
void bzero(void* to, size_t n) { __builtin_memset(to, 0, n); }
void explicit_bzero(void* to, size_t n) { __builtin_memset(to, 0, n); }

void* memchr(const void* s, int c, size_t n) {
  const unsigned char* p = s;
  for (size_t i = 0; i < n; i++)
    if (p[i] == (unsigned char)c) return (void*)(p + i);
  return 0;
}
void* memrchr(const void* s, int c, size_t n) {
  const unsigned char* p = s;
  while (n-- > 0)
    if (p[n] == (unsigned char)c) return (void*)(p + n);
  return 0;
}
void* rawmemchr(const void* s, int c) {
  const unsigned char* p = s;
  while (*p != (unsigned char)c) p++;
  return (void*)p;
}
void* memccpy(void* to, const void* from, int c, size_t n) {
  unsigned char* d = to;
  const unsigned char* s = from;
  for (size_t i = 0; i < n; i++)
    if ((d[i] = s[i]) == (unsigned char)c) return d + i + 1;
  return 0;
}
void* memmem(const void* hay, size_t hay_size, const void* needle, size_t size) {
  for (size_t i = 0; i + size <= hay_size; i++)
    if (__whittle_sign_memcmp((const char*)hay + i, needle, size) == 0) return (char*)hay + i;
  return 0;
}

size_t strlen(const char* s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}
size_t strnlen(const char* s, size_t limit) {
  size_t n = 0;
  while (n < limit && s[n]) n++;
  return n;
}
static char* copy_text(char* to, const char* from) {
  while ((*to = *from)) to++, from++;
  return to;
}
char* stpcpy(char* to, const char* from) {
  char* end = copy_text(to, from);
  expect_texts_apart(to, from, (size_t)(end - to));
  return end;
}
char* strcpy(char* to, const char* from) {
  stpcpy(to, from);
  return to;
}
char* stpncpy(char* to, const char* from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  if (i > 0) expect_texts_apart(to, from, i - 1);
  char* end = to + i;
  for (; i < n; i++) to[i] = 0;
  return end;
}
char* strncpy(char* to, const char* from, size_t n) {
  stpncpy(to, from, n);
  return to;
}
char* strcat(char* to, const char* from) {
  stpcpy(to + strlen(to), from);
  return to;
}
char* strncat(char* to, const char* from, size_t n) {
  char* end = to + strlen(to);
  size_t i = 0;
  for (; i < n && from[i]; i++) end[i] = from[i];
  end[i] = 0;
  expect_texts_apart(end, from, i);
  return to;
}
size_t strxfrm(char* to, const char* from, size_t n) {
  size_t length = strlen(from);
  if (n > 0) {
    size_t kept = length < n ? length : n - 1;
    __builtin_memcpy(to, from, kept);
    to[kept] = 0;
  }
  return length;
}
char* strchr(const char* s, int c) {
  for (;; s++) {
    if (*s == (char)c) return (char*)s;
    if (!*s) return 0;
  }
}
char* strchrnul(const char* s, int c) {
  while (*s && *s != (char)c) s++;
  return (char*)s;
}
char* strrchr(const char* s, int c) {
  const char* found = 0;
  for (;; s++) {
    if (*s == (char)c) found = s;
    if (!*s) return (char*)found;
  }
}
char* index(const char* s, int c) { return strchr(s, c); }
char* rindex(const char* s, int c) { return strrchr(s, c); }

static int in_set(char c, const char* set) {
  for (; *set; set++)
    if (*set == c) return 1;
  return 0;
}
size_t strspn(const char* s, const char* set) {
  size_t n = 0;
  while (s[n] && in_set(s[n], set)) n++;
  return n;
}
size_t strcspn(const char* s, const char* set) {
  size_t n = 0;
  while (s[n] && !in_set(s[n], set)) n++;
  return n;
}
char* strpbrk(const char* s, const char* set) {
  s += strcspn(s, set);
  return *s ? (char*)s : 0;
}
static int begins(const char* s, const char* prefix) {
  while (*prefix)
    if (*s++ != *prefix++) return 0;
  return 1;
}
char* strstr(const char* s, const char* needle) {
  for (;; s++) {
    if (begins(s, needle)) return (char*)s;
    if (!*s) return 0;
  }
}
char* strcasestr(const char* s, const char* needle) {
  size_t n = strlen(needle);
  for (;; s++) {
    if (__whittle_sign_strncasecmp(s, needle, n) == 0) return (char*)s;
    if (!*s) return 0;
  }
}
char* strtok_r(char* s, const char* set, char** rest) {
  if (!s) s = *rest;
  s += strspn(s, set);
  if (!*s) {
    *rest = s;
    return 0;
  }
  char* end = s + strcspn(s, set);
  if (*end) *end++ = 0;
  *rest = end;
  return s;
}
char* __strtok_r(char* s, const char* set, char** rest) { return strtok_r(s, set, rest); }
char* strtok(char* s, const char* set) {
  static char* rest;
  return strtok_r(s, set, &rest);
}
char* strsep(char** s, const char* set) {
  char* token = *s;
  if (!token) return 0;
  char* end = token + strcspn(token, set);
  if (*end) {
    *end = 0;
    *s = end + 1;
  } else {
    *s = 0;
  }
  return token;
}
char* strdup(const char* s) {
  size_t size = strlen(s) + 1;
  char* copy = malloc(size);
  if (copy) __builtin_memcpy(copy, s, size);
  return copy;
}
char* __strdup(const char* s) { return strdup(s); }
char* strndup(const char* s, size_t n) {
  size_t length = strnlen(s, n);
  char* copy = malloc(length + 1);
  if (!copy) return 0;
  __builtin_memcpy(copy, s, length);
  copy[length] = 0;
  return copy;
}

int ffs(int n) { return ffsll((unsigned)n); }
int ffsl(long n) { return ffsll(n); }
int ffsll(long long n) {
  unsigned long long rest = (unsigned long long)n;
  int position = 1;
  if (!rest) return 0;
  for (; !(rest & 1); rest >>= 1) position++;
  return position;
}

// The messages that programs meet most. All others are as long as glibc's longest one, so that a buffer that is too small for any of
// them is found; a text for each would be a hundred more paths after every call that may fail with any error.
static const char* message(int error) {
  switch (error) {
    case 0: return "Success";
    case EPERM: return "Operation not permitted";
    case ENOENT: return "No such file or directory";
    case ESRCH: return "No such process";
    case EINTR: return "Interrupted system call";
    case EIO: return "Input/output error";
    case EBADF: return "Bad file descriptor";
    case EAGAIN: return "Resource temporarily unavailable";
    case ENOMEM: return "Cannot allocate memory";
    case EACCES: return "Permission denied";
    case EBUSY: return "Device or resource busy";
    case EEXIST: return "File exists";
    case EINVAL: return "Invalid argument";
    case EDOM: return "Numerical argument out of domain";
    case ERANGE: return "Numerical result out of range";
    case EDEADLK: return "Resource deadlock avoided";
    case ENOSYS: return "Function not implemented";
    case EOVERFLOW: return "Value too large for defined data type";
    case ETIMEDOUT: return "Connection timed out";
    default: return error > 0 && error <= EHWPOISON ? "One of the other errors in 49 characters or fewer" : 0;
  }
}
char* strerror(int error) {
  static char unknown[32];
  const char* known = message(error);
  if (known) return (char*)known;
  strcpy(unknown, "Unknown error ");
  char* p = unknown + strlen(unknown);
  unsigned rest = error < 0 ? -(unsigned)error : (unsigned)error;
  char digits[10];
  int n = 0;
  if (error < 0) *p++ = '-';
  do digits[n++] = (char)('0' + rest % 10);
  while (rest /= 10);
  while (n) *p++ = digits[--n];
  *p = 0;
  return unknown;
}
// The GNU form may return another text than the buffer; the POSIX form always fills it.
char* strerror_r(int error, char* to, size_t size) {
  const char* known = message(error);
  if (known) return (char*)known;
  const char* text = strerror(error);
  if (size) {
    size_t kept = strnlen(text, size - 1);
    __builtin_memcpy(to, text, kept);
    to[kept] = 0;
  }
  return to;
}
int __xpg_strerror_r(int error, char* to, size_t size) {
  const char* text = strerror(error);
  size_t length = strlen(text);
  if (size) {
    size_t kept = length < size ? length : size - 1;
    __builtin_memcpy(to, text, kept);
    to[kept] = 0;
  }
  return length >= size ? ERANGE : message(error) ? 0 : EINVAL;
}
size_t strlcpy(char* to, const char* from, size_t size) {
  size_t length = strlen(from);
  if (size) {
    size_t kept = length < size ? length : size - 1;
    __builtin_memcpy(to, from, kept);
    to[kept] = 0;
  }
  return length;
}
size_t strlcat(char* to, const char* from, size_t size) {
  size_t used = strnlen(to, size);
  return used == size ? size + strlen(from) : used + strlcpy(to + used, from, size - used);
}
