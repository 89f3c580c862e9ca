// expect: false(unreach-call) line 7
#include <assert.h>
#include <stdio.h>
int main(void) {
  int number = 7;
  if (fread(&number, sizeof number, 1, stdin) == 0)
    assert(number == 7);
  return 0;
}
