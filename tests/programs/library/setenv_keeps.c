// expect: true
// proved-by: explicit guided dash merge dpr
#include <assert.h>
#include <stdlib.h>
int main(void) {
  setenv("X", "v", 1);
  setenv("X", "w", 0);
  assert(getenv("X")[0] == 118);
  return 0;
}
