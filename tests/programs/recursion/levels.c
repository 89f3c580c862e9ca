// expect: true
// proved-by: dash
// What it returns is another relation of n on each level, and on the last one none that is linear.
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
static int grow(int level, int n) {
  if (level == 0) return n + 2;
  if (n == 0) return level;
  return grow(level - 1, grow(level, n - 1));
}
int main(void) {
  int level = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  if (level < 0 || level > 1 || n < 0 || n > 1000) return 0;
  if (grow(level, n) < n) __VERIFIER_error();
  return 0;
}
