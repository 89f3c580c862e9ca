// expect: false(unreach-call)
#include <assert.h>
#include <stdlib.h>
static void h2(void) {
  assert(0);
}
static void h(void) {
  atexit(h2);
}
int main(void) {
  atexit(h);
  return 0;
}
