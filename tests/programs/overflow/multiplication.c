// expect: false(no-overflow) line 7
// hard-for: dpr
// property: no-overflow
short __VERIFIER_nondet_short(void);
int main(void) {
  int side = __VERIFIER_nondet_short() * 2;
  return side * side > 100;
}
