// What was not asked for may be reported: the peer hung up.
// expect: false(unreach-call) line 9
#include <assert.h>
#include <poll.h>

int main(void) {
  struct pollfd entry = {0, POLLIN, 0};
  if (poll(&entry, 1, 100) <= 0) return 0;
  assert(entry.revents == POLLIN);
  return 0;
}
