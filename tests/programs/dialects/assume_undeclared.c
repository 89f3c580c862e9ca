// expect: true
// time: 3
int main(void) {
  int a = __VERIFIER_nondet_int(), b = nondet_int(), c = nondet_int(), d = nondet_int();
  __VERIFIER_assume(a > 0);
  __CPROVER_assume(b > 0 && b < 10);
  __ESBMC_assume(c == 5);
  klee_assume(d < 0);
  __VERIFIER_assert(a > 0);
  __CPROVER_assert(b < 10, "b is small");
  __ESBMC_assert(c == 5, "c is five");
  klee_assert(d < 0);
  return 0;
}
