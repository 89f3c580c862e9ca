// expect: false(valid-deref) line 6
#include <stdint.h>
// What the text computes as an address is looked at as any other access.
static int third(const int *p) {
  int x;
  __asm__("movl 8(%1),%0" : "=r"(x) : "r"(p) : "memory");
  return x;
}
int main(void) {
  int two[2] = {1, 2};
  return third(two);
}
