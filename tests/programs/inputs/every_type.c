// expect: true
#include <assert.h>
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned short __VERIFIER_nondet_ushort(void);
unsigned __VERIFIER_nondet_uint(void);
long long __VERIFIER_nondet_longlong(void);
float __VERIFIER_nondet_float(void);
unsigned long __VERIFIER_nondet_size_t(void);
unsigned char __VERIFIER_nondet_u8(void);
int main(void) {
  assert(__VERIFIER_nondet_bool() <= 1);
  assert(__VERIFIER_nondet_ushort() <= 65535);
  assert(__VERIFIER_nondet_u8() <= 255);
  long long wide = __VERIFIER_nondet_longlong();
  assert(wide >= 0 || wide < 0);
  float f = __VERIFIER_nondet_float();
  assert(f != f || f <= 0 || f > 0);
  return __VERIFIER_nondet_char() + __VERIFIER_nondet_uint() + __VERIFIER_nondet_size_t() > 0;
}
