// A function that the compiler has built in is defined here, as CIL's output does. It is a function like any other.
// expect: false(unreach-call)
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_error(void);
long __builtin_expect(long exp, long c) {
  return exp;
}
int main(void) {
  int x = __VERIFIER_nondet_uchar();
  if (__builtin_expect(x == 77, 0)) __VERIFIER_error();
  return 0;
}
