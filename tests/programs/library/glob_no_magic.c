// expect: true
// proved-by: auto
#include <assert.h>
#include <glob.h>
int main(void) {
  glob_t found;
  int result = glob("plain", GLOB_NOMAGIC, 0, &found);
  assert(result != GLOB_NOMATCH);
  if (result == 0) globfree(&found);
  return 0;
}
