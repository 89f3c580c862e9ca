// expect: true
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (0) return 1 / 0;
  if (x < 0 && x > 0) return 1 << 33;
  return (0 && 1 / 0) + (1 || 1 % 0) + (1 ? 2 : 1 / 0);
}
