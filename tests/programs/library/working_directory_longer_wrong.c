// expect: false(unreach-call) line 10
// options: --text-length 12
// hard-for: dash dpr guided explicit merge
#include <assert.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  char path[64];
  if (!getcwd(path, sizeof path)) return 0;
  assert(strlen(path) < 13);
  return 0;
}
