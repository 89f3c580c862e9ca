// expect: false(no-div-by-zero) line 5
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 3;
  return (int)(100u % n);
}
