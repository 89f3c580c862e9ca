// expect: unknown
#include <assert.h>
#include <wordexp.h>
int main(void) {
  wordexp_t words;
  if (wordexp("a b", &words, 0) == 0) assert(words.we_wordc == 2);
  return 0;
}
