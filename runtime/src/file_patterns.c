// fnmatch: patterns of file names, in the "C" locale. Where glibc differs from the rules (found by comparing millions of patterns), it is refused by name.
#define _GNU_SOURCE
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "primitives.h"

static int folded(int c, int flags) { return flags & FNM_CASEFOLD ? tolower(c) : c; }

// A character of a class by name: [:alpha:].
static _Bool in_class(int c, const char* name, size_t length) {
  static const struct {
    const char* name;
    int (*test)(int);
  } kClasses[] = {{"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl}, {"digit", isdigit}, {"graph", isgraph},
                  {"lower", islower}, {"print", isprint}, {"punct", ispunct}, {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit}};
  for (size_t i = 0; i < sizeof kClasses / sizeof *kClasses; i++)
    if (strlen(kClasses[i].name) == length && strncmp(kClasses[i].name, name, length) == 0) return kClasses[i].test(c) != 0;
  __whittle_unsupported("fnmatch with a class of characters that is not known");
}

// What follows "[". Returns the pattern after "]".
#define OPEN_BRACKET "fnmatch with a bracket that is not closed"
static const char* bracket(const char* p, int c, int flags, _Bool* matches) {
  const _Bool inverted = *p == '!' || *p == '^';
  if (inverted) p++;
  _Bool found = 0;
  for (_Bool first = 1; first || *p != ']'; first = 0) {
    if (!*p) __whittle_unsupported(OPEN_BRACKET);
    if (*p == '/' && flags & FNM_PATHNAME) __whittle_unsupported("fnmatch with a slash in brackets and FNM_PATHNAME");
    if (*p == '[' && (p[1] == '.' || p[1] == '=')) __whittle_unsupported("fnmatch with collating symbols");
    const char* end = *p == '[' && p[1] == ':' ? strstr(p + 2, ":]") : 0;
    if (end) {
      found |= in_class(c, p + 2, (size_t)(end - p - 2));
      p = end + 2;
      continue;
    }
    if (*p == '\\' && !(flags & FNM_NOESCAPE)) p++;
    if (!*p) __whittle_unsupported(OPEN_BRACKET);
    const int low = (unsigned char)*p++;
    int high = low;
    if (*p == '-' && p[1] && p[1] != ']') {
      p++;
      if (*p == '\\' && !(flags & FNM_NOESCAPE)) p++;
      if (!*p) __whittle_unsupported(OPEN_BRACKET);
      high = (unsigned char)*p++;
    }
    const int seen = folded(c, flags);
    found |= folded(low, flags) <= seen && seen <= folded(high, flags);
  }
  *matches = found != inverted;
  return p + 1;
}

static int match(const char* p, const char* text, const char* start, int flags) {
  for (;; text++) {
    const int c = (unsigned char)*text;
    const _Bool at_start = text == start || (flags & FNM_PATHNAME && text[-1] == '/');
    const _Bool hidden = c == '.' && flags & FNM_PERIOD && at_start;
    const _Bool slash = c == '/' && flags & FNM_PATHNAME;
    switch (*p) {
      case 0: return c == 0 || (flags & FNM_LEADING_DIR && c == '/') ? 0 : FNM_NOMATCH;
      case '?':
        if (c == 0 || hidden || slash) return FNM_NOMATCH;
        p++;
        break;
      case '*':
        if (hidden) return FNM_NOMATCH;
        while (*p == '*') p++;
        if (*p == '?' && flags & FNM_PERIOD) __whittle_unsupported("fnmatch with `*?` and FNM_PERIOD");
        for (;; text++) {
          if (match(p, text, start, flags) == 0) return 0;
          if (*text == 0 || (*text == '/' && flags & FNM_PATHNAME)) return FNM_NOMATCH;
        }
      case '[': {
        _Bool matches;
        p = bracket(p + 1, c, flags, &matches);
        if (c == 0 || hidden || slash || !matches) return FNM_NOMATCH;
        break;
      }
      default: {
        const _Bool escaped = *p == '\\' && !(flags & FNM_NOESCAPE) && p[1];
        if (escaped) p++;
        if (escaped && *p == '/' && flags & FNM_PATHNAME) __whittle_unsupported("fnmatch with an escaped slash and FNM_PATHNAME");
        if (c == 0 || folded((unsigned char)*p, flags) != folded(c, flags)) return FNM_NOMATCH;
        p++;
      }
    }
  }
}

int fnmatch(const char* pattern, const char* text, int flags) {
  if (flags & FNM_EXTMATCH) __whittle_unsupported("fnmatch with FNM_EXTMATCH");
  return match(pattern, text, text, flags);
}
