// glob and wordexp: what a pattern or text stands for is unknown. Lists have up to two entries (an assumption that is printed), each any
// short text.
#define _GNU_SOURCE
#include <errno.h>
#include <glob.h>
#include <string.h>
#include <wordexp.h>

#include "primitives.h"

#define MOST 2
static char* any_word(void) {
  size_t size = __whittle_text_length() + 1;
  char* text = __whittle_heap_alloc(size, 0);
  size_t n = 0;
  while (n + 1 < size && __whittle_nondet_bool()) {
    char c = (char)__whittle_nondet_u8();
    text[n++] = c ? c : '?';
  }
  text[n] = 0;
  return text;
}
// As many null pointers as the caller wants in front, the words, and a null pointer.
static char** any_words(size_t in_front, size_t count) {
  char** list = __whittle_heap_alloc((in_front + count + 1) * sizeof *list, 1);
  for (size_t i = 0; i < count; i++) list[in_front + i] = any_word();
  return list;
}
static void release(char** list, size_t in_front, size_t count) {
  if (!list) return;
  for (size_t i = 0; i < count; i++) __whittle_heap_free(list[in_front + i]);
  __whittle_heap_free(list);
}
static size_t any_count(void) {
  size_t count = 0;
  while (count < MOST && __whittle_nondet_bool()) count++;
  return count;
}

// Is a pattern that matches nothing its own result? Not sure if it names a user who may not be there.
static _Bool keeps_pattern(const char* pattern, int flags) {
  if (flags & GLOB_TILDE_CHECK && *pattern == '~' && __whittle_nondet_bool()) return 0;
  if (flags & GLOB_NOCHECK) return 1;
  return flags & GLOB_NOMAGIC && !strpbrk(pattern, flags & GLOB_BRACE ? "*?[{" : "*?[");
}

int glob(const char* restrict pattern, int flags, int (*on_error)(const char*, int), glob_t* restrict result) {
  size_t length = strlen(pattern);
  if (flags & (GLOB_APPEND | GLOB_ALTDIRFUNC)) __whittle_unsupported("glob with GLOB_APPEND or GLOB_ALTDIRFUNC");
  if (!(flags & GLOB_DOOFFS)) result->gl_offs = 0;
  result->gl_pathc = 0;
  result->gl_pathv = 0;
  if (on_error && __whittle_nondet_bool()) {
    char* where = any_word();
    _Bool stop = on_error(where, EACCES) || flags & GLOB_ERR;
    __whittle_heap_free(where);
    if (stop) return GLOB_ABORTED;
  }
  // glibc and musl leave nothing to be freed after an error.
  if (__whittle_nondet_bool()) return __whittle_nondet_bool() ? GLOB_NOSPACE : GLOB_ABORTED;
  size_t count = any_count();
  if (count == 0 && keeps_pattern(pattern, flags)) {
    result->gl_pathv = __whittle_heap_alloc((result->gl_offs + 2) * sizeof(char*), 1);
    char* text = __whittle_heap_alloc(length + 1, 0);
    memcpy(text, pattern, length + 1);
    result->gl_pathv[result->gl_offs] = text;
    result->gl_pathc = 1;
    return 0;
  }
  if (count == 0) return GLOB_NOMATCH;
  result->gl_pathv = any_words(result->gl_offs, count);
  result->gl_pathc = count;
  return 0;
}
void globfree(glob_t* result) {
  release(result->gl_pathv, result->gl_offs, result->gl_pathc);
  result->gl_pathv = 0;
  result->gl_pathc = 0;
}

int wordexp(const char* restrict words, wordexp_t* restrict result, int flags) {
  (void)strlen(words);
  if (flags & WRDE_APPEND) __whittle_unsupported("wordexp with WRDE_APPEND");
  if (flags & WRDE_REUSE) wordfree(result);
  size_t in_front = flags & WRDE_DOOFFS ? result->we_offs : 0;
  _Bool space = 1;
  if (__whittle_nondet_bool()) {
    if (__whittle_nondet_bool()) return WRDE_SYNTAX;
    if (__whittle_nondet_bool()) return WRDE_BADCHAR;
    if (flags & WRDE_UNDEF && __whittle_nondet_bool()) return WRDE_BADVAL;
    if (flags & WRDE_NOCMD && __whittle_nondet_bool()) return WRDE_CMDSUB;
    space = 0;
  }
  size_t count = any_count();  // without space: those before it ran out
  result->we_offs = in_front;
  result->we_wordv = any_words(in_front, count);
  result->we_wordc = count;
  return space ? 0 : WRDE_NOSPACE;
}
void wordfree(wordexp_t* result) {
  release(result->we_wordv, result->we_offs, result->we_wordc);
  result->we_wordv = 0;
  result->we_wordc = 0;
}
