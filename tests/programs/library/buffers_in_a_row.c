// expect: true
// readv and writev move as much as they say, in order; a position in a stream can be kept.
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
int main(void) {
  char a[2] = {1, 1}, b[3] = {1, 1, 1};
  struct iovec parts[] = {{a, sizeof a}, {b, sizeof b}};
  ssize_t got = readv(0, parts, 2);
  assert(got >= -1 && got <= 5);
  if (got < 2) assert(b[0] == 1 && b[1] == 1 && b[2] == 1);
  ssize_t put = writev(1, parts, 2);
  assert(put >= -1 && put <= 5);
  assert(readv(7, parts, 2) == -1 && writev(1, parts, -1) == -1);
  assert(pwrite(1, "abc", 3, 0) <= 3);
  fpos_t start;
  if (fgetpos(stdin, &start) == 0) fsetpos(stdin, &start);
  return 0;
}
