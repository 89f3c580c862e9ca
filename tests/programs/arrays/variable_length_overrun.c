// expect: false(valid-deref) line 6
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 8 + 1;
  int a[n];
  for (unsigned i = 0; i < 8; i++) a[i] = 0;
  return a[0];
}
