// expect: false(unreach-call) line 8
// A read error leaves the buffer with anything in it; the end of the file leaves it as it was.
#include <assert.h>
#include <stdio.h>
int main(void) {
  char line[3] = "x";
  if (!fgets(line, sizeof line, stdin))
    assert(line[0] == 'x');
  return 0;
}
