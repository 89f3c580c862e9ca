// expect: true
// time: 3
#include <assert.h>
#include <stdio.h>
int main(void) {
  int c = getchar();
  if (c == EOF) {
    assert(feof(stdin) || ferror(stdin));
    return 0;
  }
  assert(!feof(stdin) && !ferror(stdin));
  assert(ungetc(c, stdin) == c && getchar() == c);
  return 0;
}
