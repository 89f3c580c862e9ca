// expect: false(unreach-call) line 7
// hard-for: dash
#include <assert.h>
#include <glob.h>
int main(void) {
  glob_t found;
  assert(glob("*.c", 0, 0, &found) == 0);
  return 0;
}
