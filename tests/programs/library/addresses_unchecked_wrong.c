// Where names lead to is not known, and the list has a second address only now and then.
// expect: false(valid-deref) line 7
#include <netdb.h>
int main(void) {
  struct addrinfo *list;
  if (getaddrinfo("host", "80", 0, &list) != 0) return 1;
  int family = list->ai_next->ai_family;
  freeaddrinfo(list);
  return family;
}
