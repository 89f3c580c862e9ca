// expect: true
#include <assert.h>
#include <stddef.h>
struct padded { char c; int i; char d; double x; };
struct __attribute__((packed)) tight { char c; int i; char d; double x; };
int main(void) {
  assert(offsetof(struct padded, i) == 4 && offsetof(struct padded, d) == 8);
  assert(sizeof(struct tight) == 14 && offsetof(struct tight, x) == 6);
  struct tight t = {1, 2, 3, 4.0};
  t.i += t.c + t.d;
  t.x *= 2;
  assert(t.i == 6 && t.x == 8.0);
  return 0;
}
