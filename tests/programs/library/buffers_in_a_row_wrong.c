// expect: false(valid-deref) line 9
// hard-for: dash
// The second buffer is shorter than it says.
#include <sys/uio.h>
int main(void) {
  char a[4], b[2];
  struct iovec parts[] = {{a, sizeof a}, {b, sizeof a}};

  readv(0, parts, 2);
  return 0;
}
