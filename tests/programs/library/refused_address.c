// expect: unknown
#include <arpa/inet.h>
#include <assert.h>
int main(void) {
  struct in_addr a;
  int r = inet_pton(AF_INET, "1.2.3.4", &a);
  assert(r == 1);
  return 0;
}
