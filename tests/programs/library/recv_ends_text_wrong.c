// Four bytes may arrive: there is no room for the end of the text.
// expect: false(valid-deref) line 11
#include <sys/socket.h>

int main(void) {
  int peer = socket(AF_INET, SOCK_STREAM, 0);
  if (peer < 0) return 1;
  char text[4];
  ssize_t n = recv(peer, text, sizeof text, 0);
  if (n < 0) return 1;
  text[n] = 0;
  return 0;
}
