// expect: false(no-overflow) line 8
// property: no-overflow
// hard-for: test dpr
// A descending order made by a minus sign: the smallest int has no negation.
#include <stdlib.h>
#include <string.h>
static int descending(const void *a, const void *b) {
  return -strncmp(a, b, 4);
}
int main(void) {
  char words[2][5] = {"efgh", "abcd"};
  qsort(words, 2, sizeof words[0], descending);
  return 0;
}
