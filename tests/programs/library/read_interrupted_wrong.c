// expect: false(unreach-call) line 9
#include <assert.h>
#include <errno.h>
#include <unistd.h>
int main(void) {
  char byte;
  errno = 0;
  if (read(0, &byte, 1) < 0)
    assert(errno != EINTR);
  return 0;
}
