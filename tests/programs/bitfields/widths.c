// expect: true
#include <assert.h>
struct flags { unsigned a : 3; signed b : 4; unsigned : 0; unsigned c : 20; unsigned d : 12; unsigned long e : 40; };
int main(void) {
  struct flags f = {0};
  f.a = 9;
  f.b = 8;
  f.c = 0xfffff;
  f.d = 0xabc;
  f.e = 0x123456789aul;
  assert(f.a == 1 && f.b == -8 && f.c == 0xfffff && f.d == 0xabc && f.e == 0x123456789aul);
  f.c++;
  assert(f.c == 0 && f.d == 0xabc);
  return 0;
}
