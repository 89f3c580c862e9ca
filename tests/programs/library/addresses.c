// expect: true
// proved-by: explicit
#include <arpa/inet.h>
#include <assert.h>
#include <netdb.h>
#include <string.h>

int main(void) {
  struct in_addr four;
  char text[INET6_ADDRSTRLEN];
  assert(inet_pton(AF_INET, "192.0.2.33", &four) == 1 && ntohl(four.s_addr) == 0xc0000221);
  assert(inet_pton(AF_INET, "192.0.2", &four) == 0);
  assert(strcmp(inet_ntop(AF_INET, &four, text, sizeof text), "192.0.2.33") == 0);
  assert(inet_ntop(AF_INET, &four, text, 10) == 0);
  assert(inet_addr("10.1") == htonl(0x0a000001) && inet_addr("x") == INADDR_NONE);
  struct in6_addr six;
  assert(inet_pton(AF_INET6, "2001:db8::ff", &six) == 1 && six.s6_addr[15] == 0xff);
  assert(strcmp(inet_ntop(AF_INET6, &six, text, sizeof text), "2001:db8::ff") == 0);
  struct addrinfo *list, hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
  int error = getaddrinfo("host", "80", &hints, &list);
  if (error != 0) return gai_strerror(error) == 0;
  for (struct addrinfo *one = list; one; one = one->ai_next)
    assert(one->ai_family == AF_INET && one->ai_addrlen == sizeof(struct sockaddr_in) && one->ai_addr->sa_family == AF_INET);
  freeaddrinfo(list);
  return 0;
}
