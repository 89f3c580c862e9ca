// expect: true
// proved-by: explicit guided
// The value that is looked at twice is one value.
#include <assert.h>
#include <string.h>
int keep;
int main(void) {
  keep = strcmp("b", "a");
  int again = keep;
  assert(keep > 0 && keep == again);
  return 0;
}
