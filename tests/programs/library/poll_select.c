// expect: true
// proved-by: merge
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <sys/select.h>

int main(void) {
  struct pollfd entries[2] = {{0, POLLIN, 7}, {-1, POLLIN, 7}};
  int n = poll(entries, 2, -1);
  if (n >= 0) assert(n == 1 && entries[0].revents != 0 && !(entries[0].revents & POLLOUT) && entries[1].revents == 0);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(0, &set);
  struct timeval limit = {1, 0};
  n = select(1, &set, 0, 0, &limit);
  assert(n >= -1 && n <= 1);
  if (n == 0) assert(!FD_ISSET(0, &set));
  if (n >= 0) assert(limit.tv_sec <= 1 && limit.tv_usec < 1000000);
  FD_ZERO(&set);
  FD_SET(9, &set);
  assert(select(10, &set, 0, 0, 0) == -1 && errno == EBADF);
  return 0;
}
