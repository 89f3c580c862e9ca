// expect: false(valid-memtrack)
// property: valid-memtrack
// hard-for: dash
#include <wordexp.h>
int main(void) {
  wordexp_t words;
  if (wordexp("a b", &words, 0) == 0) wordfree(&words);
  return 0;
}
