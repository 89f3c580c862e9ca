// expect: true
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n == 0 || n == -1) return 0;
  return 100 / n + 100 % n;
}
