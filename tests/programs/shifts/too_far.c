// expect: false(no-bad-shift) line 5
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned by = __VERIFIER_nondet_uint() % 40;
  return (int)(1u << by);
}
