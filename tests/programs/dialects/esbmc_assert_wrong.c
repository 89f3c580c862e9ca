// expect: false(unreach-call) line 6
// hard-for: explicit
int main(void) {
  int a = nondet_int();
  __ESBMC_assume(a > 5);
  __ESBMC_assert(a > 6, "larger");
  return 0;
}
