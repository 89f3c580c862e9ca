// expect: false(no-div-by-zero) line 5
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 77) return 1 % 0;
  return 0;
}
