// expect: false(valid-deref) line 6
int __VERIFIER_nondet_int(void);
int main(void) {
  int value = 1;
  int *p = __VERIFIER_nondet_int() ? &value : 0;
  return *p;
}
