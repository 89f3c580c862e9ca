// expect: false(unreach-call) line 15
// hard-for: dash
// As bound_from_input_wrong.c, but it is failing assumptions that must not speak for other numbers of bits.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  unsigned y = __VERIFIER_nondet_uint();
  __VERIFIER_assume(y <= n);
  _Bool c[8];
  for (int i = 0; i < 8; i++) c[i] = __VERIFIER_nondet_bool();
  if (n == 3 && c[0] && c[1] && c[2] && c[3] && c[4] && c[5]) reach_error();
  return 0;
}
