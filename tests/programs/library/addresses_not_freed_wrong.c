// expect: false(valid-memtrack)
// property: valid-memtrack
#include <netdb.h>
static int known(void) {
  struct addrinfo *list;
  return getaddrinfo("host", "80", 0, &list) == 0;
}
int main(void) { return known(); }
