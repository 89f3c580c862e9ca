// long double has the size and layout of the ABI.
// expect: true
// proved-by: explicit
#include <assert.h>
#include <stddef.h>

struct s {
  char c;
  long double d;
  char e;
};
int main(void) {
  assert(sizeof(long double) == 16 && _Alignof(long double) == 16);
  assert(offsetof(struct s, d) == 16 && offsetof(struct s, e) == 32 && sizeof(struct s) == 48);
  long double a[3] = {1, 2.5L, -3};
  assert((char *)&a[2] - (char *)&a[0] == 32);
  assert(a[0] + a[1] + a[2] == 0.5L);
  return 0;
}
