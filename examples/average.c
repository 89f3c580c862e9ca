// Arithmetic that leaves its type.
//
//   whittle check --property no-overflow examples/average.c
//
// The mean of two numbers, as found in binary searches for decades. Overflow of signed integers is undefined in C and is
// checked when asked for.
//
// property: no-overflow
// expect: false(no-overflow) line 13
// hard-for: explicit dpr
int __VERIFIER_nondet_int(void);

static int middle(int low, int high) { return (low + high) / 2; }

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  if (low < 0 || high < low) return 0;
  return middle(low, high) >= low ? 0 : 1;
}
