// expect: false(unreach-call) line 6
#include <assert.h>
int main(void) {
  double third = 1.0 / 3.0, tenth = 0.1;
  assert(third * 3.0 == 1.0);
  assert(tenth + tenth + tenth == 0.3);
  return 0;
}
