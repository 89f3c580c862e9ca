// expect: false(unreach-call) line 8
#include <assert.h>
#include <unistd.h>
int main(void) {
  int ends[2] = {-1, -1};
  int failed = pipe(ends);
  assert(failed == 0 || failed == -1);
  assert(ends[0] == -1);
  return 0;
}
