// Fewer bytes may be sent than were given.
// expect: false(unreach-call) line 8
#include <assert.h>
#include <sys/socket.h>

int main(void) {
  int peer = socket(AF_INET, SOCK_STREAM, 0);
  assert(peer < 0 || send(peer, "abc", 3, 0) != 1);
  return 0;
}
