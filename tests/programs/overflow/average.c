// expect: true
// property: no-overflow
int __VERIFIER_nondet_int(void);
int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  if (low >= 0 && high >= low) return low + (high - low) / 2;
  return 0;
}
