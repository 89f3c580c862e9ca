// expect: false(unreach-call)
#include <assert.h>
#include <stdio.h>
int main(void) {
  puts("text");
  assert(!ferror(stdout));
  return 0;
}
