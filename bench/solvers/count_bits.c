// The bits of a number, counted in two ways.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), one_by_one = 0, y = x;
  for (int i = 0; i < 32; ++i) one_by_one += x >> i & 1;
  y = (y & 0x55555555u) + (y >> 1 & 0x55555555u);
  y = (y & 0x33333333u) + (y >> 2 & 0x33333333u);
  y = (y & 0x0f0f0f0fu) + (y >> 4 & 0x0f0f0f0fu);
  assert(y * 0x01010101u >> 24 == one_by_one);
}
