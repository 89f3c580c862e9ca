// The bytes of a long double are those of x87: sign and exponent after 64 bits of significand.
// expect: true
// proved-by: explicit
#include <assert.h>
#include <string.h>

union u {
  long double d;
  struct {
    unsigned long significand;
    unsigned short exponent;
  } s;
};
static long double shared = -2.5L;
int main(void) {
  union u u;
  u.d = 1.5L;
  assert(u.s.significand == 0xc000000000000000u && u.s.exponent == 0x3fff);
  u.s.exponent = 0xc000;
  assert(u.d == -3);
  memcpy(&u.d, &shared, sizeof u.d);
  assert(u.s.significand == 0xa000000000000000u && u.s.exponent == 0xc000);
  u.d = 1.0L / 0.0L;
  assert(u.s.significand == 0x8000000000000000u && u.s.exponent == 0x7fff);
  return 0;
}
