// expect: unknown
#include <assert.h>
#include <netdb.h>
int main(void) {
  struct addrinfo *a;
  int e = getaddrinfo("x", 0, 0, &a);
  assert(e == 0);
  return 0;
}
