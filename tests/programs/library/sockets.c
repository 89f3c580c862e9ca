// A server that looks at every result.
// expect: true
// proved-by: merge
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  int listening = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  if (listening < 0) return 1;
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(8080);
  setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listening, (struct sockaddr *)&address, sizeof address) != 0 || listen(listening, 5) != 0) return 1;
  socklen_t size = sizeof address;
  int peer = accept(listening, (struct sockaddr *)&address, &size);
  if (peer < 0) return 1;
  assert(peer != listening && size == sizeof address && address.sin_family == AF_INET);
  char text[4];
  ssize_t n = recv(peer, text, sizeof text, 0);
  assert(n >= -1 && n <= 4);
  if (n > 0) {
    ssize_t sent = send(peer, text, (size_t)n, MSG_NOSIGNAL);
    assert(sent == -1 || (sent >= 1 && sent <= n));
  }
  close(peer);
  assert(shutdown(peer, SHUT_RDWR) == -1 && errno == EBADF);
  close(listening);
  return 0;
}
