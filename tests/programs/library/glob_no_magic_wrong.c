// expect: false(unreach-call) line 7
// hard-for: dash
#include <assert.h>
#include <glob.h>
int main(void) {
  glob_t found;
  assert(glob("*.c", GLOB_NOMAGIC, 0, &found) != GLOB_NOMATCH);
  return 0;
}
