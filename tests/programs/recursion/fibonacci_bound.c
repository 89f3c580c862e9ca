// expect: true
// proved-by: dash
// fibonacci(46) alone makes 3,000,000,000 calls: what it returns follows from results of smaller arguments.
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
static int fibonacci(int n) {
  if (n < 1) return 0;
  if (n == 1) return 1;
  return fibonacci(n - 1) + fibonacci(n - 2);
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 46) return 0;
  int result = fibonacci(n);
  if (n >= 20 && result < 6765) __VERIFIER_error();
  return 0;
}
