// expect: true
// property: valid-deref,unreach-call,valid-memtrack
#include <assert.h>
#include <glob.h>
#include <string.h>
#include <wordexp.h>
int main(void) {
  wordexp_t words;
  int result = wordexp("$HOME", &words, 0);
  assert(result != WRDE_BADVAL && result != WRDE_CMDSUB);
  if (result == WRDE_NOSPACE) wordfree(&words);
  if (result == 0) {
    for (size_t i = 0; i < words.we_wordc; i++) assert(strlen(words.we_wordv[i]) <= 8);
    assert(words.we_wordv[words.we_wordc] == 0);
    wordfree(&words);
  }
  glob_t found;
  if (glob("*.c", GLOB_NOCHECK, 0, &found) == 0) {
    assert(found.gl_pathc >= 1);
    if (found.gl_pathc == 1) assert(strlen(found.gl_pathv[0]) <= 8);
    globfree(&found);
  }
  return 0;
}
