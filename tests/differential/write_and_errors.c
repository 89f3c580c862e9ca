#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  if (write(1, "raw bytes\n", 10) != 10) return 1;
  errno = ENOENT;
  printf("%s|%s|%s\n", strerror(errno), strerror(EINVAL), strerror(0));
  errno = 0;
  int failed = setenv("", "x", 1);
  printf("%d %d\n", failed, errno == EINVAL);
  printf("%d %ld %lld\n", abs(-3), labs(-4l), llabs(-5ll));
  div_t q = div(17, -5);
  printf("%d %d\n", q.quot, q.rem);
  return EXIT_FAILURE;
}
