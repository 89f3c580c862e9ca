// expect: unknown
#include <assert.h>
#include <fnmatch.h>
int main(void) {
  assert(fnmatch("*.c", "a.c", 0) == 0);
  return 0;
}
