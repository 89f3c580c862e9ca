// The classic: rights that were not given up.
// expect: false(unreach-call) line 9
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  int result = setuid(1000);
  assert(result == 0);
  return 0;
}
