// expect: false(no-overflow) line 6
// property: no-overflow
short __VERIFIER_nondet_short(void);
int main(void) {
  int side = __VERIFIER_nondet_short() * 2;
  return side * side > 100;
}
