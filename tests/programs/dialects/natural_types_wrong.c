// expect: false(unreach-call) line 7
// hard-for: explicit
// With an implicit `int nondet_float()` half of a number could not be had.
int main(void) {
  float x = nondet_float();
  __CPROVER_assume(x > 0.0f && x < 1.0f);
  assert(x > 0.5f);
  return 0;
}
