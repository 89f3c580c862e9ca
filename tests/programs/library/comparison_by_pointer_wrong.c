// expect: false(unreach-call) line 7
#include <assert.h>
#include <string.h>
int (*compare)(const char *, const char *) = strcmp;
int main(void) {
  int r = compare("b", "a");
  assert(r == 1);
  return 0;
}
