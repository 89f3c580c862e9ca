// expect: false(no-bad-shift) line 6
// What has no value is an operand of further operations, each with a check of its own.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int() & 7;
  return (32 >> 32) % (n + 1) + (n + 1) / (1 << 33) + (1 << -1) * n;
}
