// expect: false(unreach-call) line 7
#include <assert.h>
#include <stdio.h>
int main(void) {
  FILE *f = popen("ls", "r");
  if (!f) return 1;
  assert(pclose(f) == 0);
  return 0;
}
