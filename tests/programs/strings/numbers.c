// expect: true
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *end;
  assert(atoi("  -42abc") == -42 && strtol("0x1F!", &end, 0) == 31 && *end == '!');
  errno = 0;
  assert(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
  assert(strtod("2.5e3", &end) == 2500.0 && *end == 0);
  int a, b;
  char word[8];
  assert(sscanf("12 abc 34", "%d %7s %d", &a, word, &b) == 3 && a == 12 && b == 34 && strcmp(word, "abc") == 0);
  char text[32];
  assert(snprintf(text, sizeof text, "%05d|%-4s|%x", 42, "ab", 255) == 13 && strcmp(text, "00042|ab  |ff") == 0);
  assert(snprintf(text, 4, "%d", 123456) == 6 && strcmp(text, "123") == 0);
  return 0;
}
