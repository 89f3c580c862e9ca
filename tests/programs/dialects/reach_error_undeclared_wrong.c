// expect: false(unreach-call) line 5
// hard-for: test
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n / 2 == 21) reach_error();
  return 0;
}
