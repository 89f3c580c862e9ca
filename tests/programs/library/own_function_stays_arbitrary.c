// expect: false(unreach-call) line 6
// A function of the program's own without a body returns any value.
#include <assert.h>
int measure(void);
int main(void) {
  assert(measure() != 12);
  return 0;
}
