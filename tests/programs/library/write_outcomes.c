// expect: true
// time: 3
#include <assert.h>
#include <errno.h>
#include <unistd.h>
int main(void) {
  long n = write(2, "text", 4);
  assert(n == -1 || (n > 0 && n <= 4));
  assert(write(77, "text", 4) == -1 && errno == EBADF);
  return 0;
}
