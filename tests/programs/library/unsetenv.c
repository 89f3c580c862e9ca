// expect: true
// proved-by: explicit guided dash merge dpr
#include <assert.h>
#include <stdlib.h>
int main(void) {
  setenv("X", "v", 1);
  unsetenv("X");
  assert(!getenv("X"));
  return 0;
}
