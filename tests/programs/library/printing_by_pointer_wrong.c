// expect: false(unreach-call)
#include <assert.h>
#include <stdio.h>
static int (*const printers[])(const char *) = {puts, puts};
int main(void) {
  assert(printers[1]("text") >= 0);
  return 0;
}
