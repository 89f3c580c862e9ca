// expect: unknown
#include <assert.h>
#include <iconv.h>
int main(void) {
  assert(iconv_open("UTF-8", "LATIN1") != 0);
  return 0;
}
