// expect: false(unreach-call) line 7
int table[4];
int main(void) {
  unsigned i = __VERIFIER_nondet_uint();
  __CPROVER_assume(i <= 4);
  int *p = table + i;
  assert(__CPROVER_r_ok(p, sizeof *p));
  return *p;
}
