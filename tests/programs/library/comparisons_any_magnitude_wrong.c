// expect: false(unreach-call) line 9
// hard-for: explicit test dpr
// Any value of the right sign, also one that no difference of bytes has.
#include <assert.h>
#include <string.h>
int main(void) {
  int r = memcmp("a", "b", 1);
  assert(r < 0);
  assert(r != -70000);
  return 0;
}
