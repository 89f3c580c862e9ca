// expect: false(unreach-call) line 8
// A signed bit-field of one bit holds 0 and -1.
#include <assert.h>
struct flag { signed on : 1; };
int main(void) {
  struct flag f;
  f.on = 1;
  assert(f.on == 1);
  return 0;
}
