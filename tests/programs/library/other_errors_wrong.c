// Systems have more errors than POSIX lists.
// expect: false(unreach-call) line 8
#include <assert.h>
#include <errno.h>
#include <fcntl.h>

int main(void) {
  assert(open("name", O_RDONLY) >= 0 || errno != ENOSPC);
  return 0;
}
