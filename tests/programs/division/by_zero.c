// expect: false(no-div-by-zero) line 5
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  return 100 / (n % 4);
}
