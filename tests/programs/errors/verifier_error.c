// expect: false(unreach-call) line 6
void __VERIFIER_error(void);
int __VERIFIER_nondet_int(void);
static void check(int condition) {
  if (!condition) {
    __VERIFIER_error();
  }
}
int main(void) {
  check(__VERIFIER_nondet_int() != 0);
  return 0;
}
