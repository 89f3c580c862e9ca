// expect: true
#include <assert.h>
#include <stdio.h>
int main(void) {
  char line[3] = "x";
  if (!fgets(line, sizeof line, stdin) && !ferror(stdin))
    assert(line[0] == 'x');
  return 0;
}
