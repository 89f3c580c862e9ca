// expect: false(no-overflow) line 7
// hard-for: explicit dpr
// property: no-overflow
int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a > 0 && b > 0) return a + b;
  return 0;
}
