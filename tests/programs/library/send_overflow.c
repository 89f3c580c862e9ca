// expect: false(valid-deref) line 6
#include <sys/socket.h>
int main(void) {
  char text[3] = "ab";
  int peer = socket(AF_UNIX, SOCK_STREAM, 0);
  send(peer, text, 4, 0);
  return 0;
}
