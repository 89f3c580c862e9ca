// expect: false(unreach-call) line 8
// A byte above 127 is no wide character: WEOF, and not the end of the file.
#include <assert.h>
#include <stdio.h>
#include <wchar.h>
int main(void) {
  wint_t c = getwchar();
  if (c == WEOF) assert(feof(stdin));
  return 0;
}
