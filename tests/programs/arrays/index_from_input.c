// expect: false(valid-deref) line 8
// hard-for: explicit dpr
int __VERIFIER_nondet_int(void);
int table[16];
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i > 15) return 0;
  return table[i];
}
