// expect: false(unreach-call) line 7
// -1 compared with an unsigned number is a very large number.
#include <assert.h>
int main(void) {
  int minus_one = -1;
  unsigned one = 1;
  assert(minus_one < one);
  return 0;
}
