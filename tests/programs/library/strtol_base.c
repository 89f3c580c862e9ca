// expect: true
// proved-by: explicit guided dash merge dpr
#include <assert.h>
#include <stdlib.h>
int main(void) {
  char *e;
  long v = strtol("0x1fz", &e, 0);
  assert(v == 31 && *e == 'z');
  return 0;
}
