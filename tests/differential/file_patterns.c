// fnmatch with random patterns, texts and flags.
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static unsigned seed = 12345;
static unsigned below(unsigned n) {
  seed = seed * 1103515245u + 12345u;
  return (seed >> 16) % n;
}

int main(void) {
  static const char *const pieces[] = {"*", "?", "a", "b", "/", ".", "[ab]", "[!a]", "[a-c]", "\\*", "[]a]", "A", "[[:alpha:]]", "**", "-", "[a-]", "[[:upper:]]", "[!]a]", "[A-C]"};
  static const char letters[] = "aabbc/.*]A-!";
  static const int flags[] = {0, FNM_PATHNAME, FNM_PERIOD, FNM_NOESCAPE, FNM_CASEFOLD, FNM_LEADING_DIR};
  for (int i = 0; i < 600; i++) {
    char pattern[64] = "", text[8] = "";
    for (unsigned n = 1 + below(4); n > 0; n--) strcat(pattern, pieces[below(sizeof pieces / sizeof *pieces)]);
    for (unsigned n = below(5), j = 0; j < n; j++) text[j] = letters[below(sizeof letters - 1)];
    if (strstr(pattern, "*?")) continue;  // refused with FNM_PERIOD
    int chosen = flags[below(sizeof flags / sizeof *flags)];
    printf("%s %s %d %d\n", pattern, text, chosen, fnmatch(pattern, text, chosen));
  }
  return 0;
}
