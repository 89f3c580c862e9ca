// regex.h. What a pattern means is not followed: it compiles or not, matches or not, anywhere in the text.
#define _GNU_SOURCE
#include <regex.h>
#include <string.h>

#include "primitives.h"

int regcomp(regex_t* compiled, const char* pattern, int flags) {
  (void)strlen(pattern);
  memset(compiled, 0, sizeof *compiled);
  compiled->no_sub = (flags & REG_NOSUB) != 0;
  if (__whittle_nondet_bool()) {
    uint8_t error = __whittle_nondet_u8();
    return error <= REG_NOMATCH || error > REG_ERPAREN ? REG_BADPAT : error;
  }
  compiled->buffer = __whittle_heap_alloc(1, 1);  // until regfree
  compiled->re_nsub = __whittle_nondet_u16();
  return 0;
}

int regexec(const regex_t* compiled, const char* text, size_t count, regmatch_t* matches, int flags) {
  (void)*(volatile const char*)compiled->buffer;  // compiled, and not freed
  // With REG_STARTEND the first match says which part is the text.
  size_t from = flags & REG_STARTEND ? (size_t)matches[0].rm_so : 0;
  size_t end = flags & REG_STARTEND ? (size_t)matches[0].rm_eo : strlen(text);
  if (__whittle_nondet_bool()) return __whittle_nondet_bool() ? REG_ESPACE : REG_NOMATCH;
  for (size_t i = 0; i < count && !compiled->no_sub; i++) {
    matches[i].rm_so = matches[i].rm_eo = -1;
    if (i > compiled->re_nsub || (i > 0 && __whittle_nondet_bool())) continue;
    size_t start = from, stop;
    while (start < end && __whittle_nondet_bool()) start++;
    for (stop = start; stop < end && __whittle_nondet_bool();) stop++;
    matches[i].rm_so = (regoff_t)start;
    matches[i].rm_eo = (regoff_t)stop;
    if (i == 0) from = start, end = stop;  // the others lie inside
  }
  return 0;
}

void regfree(regex_t* compiled) {
  __whittle_heap_free(compiled->buffer);
  memset(compiled, 0, sizeof *compiled);
}

// Some message.
size_t regerror(int error, const regex_t* compiled, char* to, size_t room) {
  (void)error, (void)compiled;
  size_t length = __whittle_nondet_u8();
  for (size_t i = 0; i < room; i++) {
    if (i == length || i + 1 == room) {
      to[i] = 0;
      break;
    }
    uint8_t c = i < 8 ? __whittle_nondet_u8() : 0;
    to[i] = c == 0 ? '?' : (char)c;
  }
  return length + 1;
}
