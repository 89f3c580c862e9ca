// expect: true
// time: 3
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
int main(void) {
  char byte;
  int a = open("a", O_RDONLY), b = open("b", O_RDONLY);
  assert(a == -1 || a == 3);
  assert(b == -1 || b == (a == -1 ? 3 : 4));
  if (a != -1) {
    close(a);
    assert(close(a) == -1 && errno == EBADF);
    assert(read(a, &byte, 1) == -1 && errno == EBADF);
  }
  return 0;
}
