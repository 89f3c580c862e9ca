// expect: true
// proved-by: explicit guided dash merge dpr
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>
static void h(void) {
  assert(0);
}
int main(void) {
  atexit(h);
  _exit(0);
}
