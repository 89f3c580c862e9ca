// expect: false(unreach-call) line 14
// How many bits the second input takes depends on the first one; later choices must not be mixed up.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  unsigned y = __VERIFIER_nondet_uint();
  __VERIFIER_assume(y <= n);
  _Bool c[13];
  for (int i = 0; i < 13; i++) c[i] = __VERIFIER_nondet_bool();
  if (!c[6] & c[12] & (n == 3)) reach_error();
  return 0;
}
