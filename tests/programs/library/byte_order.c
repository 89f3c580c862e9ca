// expect: true
// proved-by: dash
#include <arpa/inet.h>
#include <assert.h>
unsigned short __VERIFIER_nondet_ushort(void);
int main(void) {
  unsigned short port = __VERIFIER_nondet_ushort();
  assert(htons(0x1234) == 0x3412 && htonl(0x01020304) == 0x04030201);
  assert(ntohs(htons(port)) == port);
  return 0;
}
