// expect: false(no-bad-shift) line 6
// hard-for: dpr
int __VERIFIER_nondet_int(void);
int main(void) {
  int by = __VERIFIER_nondet_int() % 8;
  return 256 >> by;
}
