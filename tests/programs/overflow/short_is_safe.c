// expect: true
// property: no-overflow
short __VERIFIER_nondet_short(void);
int main(void) {
  short a = __VERIFIER_nondet_short(), b = __VERIFIER_nondet_short();
  short c = a + b;
  return c * c > 100;
}
