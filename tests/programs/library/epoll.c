// expect: true
// proved-by: merge
#include <assert.h>
#include <errno.h>
#include <sys/epoll.h>

int main(void) {
  int watcher = epoll_create1(0);
  if (watcher < 0) return 1;
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = 17}, got[2];
  if (epoll_ctl(watcher, EPOLL_CTL_ADD, 0, &event) != 0) return 1;
  assert(epoll_ctl(watcher, EPOLL_CTL_ADD, 0, &event) == -1);
  int n = epoll_wait(watcher, got, 2, -1);
  assert(n == -1 || (n == 1 && got[0].data.u32 == 17 && !(got[0].events & EPOLLOUT)));
  if (epoll_ctl(watcher, EPOLL_CTL_DEL, 0, 0) != 0) return 1;
  assert(epoll_wait(watcher, got, 2, 0) <= 0);
  return 0;
}
