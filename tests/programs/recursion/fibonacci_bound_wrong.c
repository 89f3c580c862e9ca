// expect: false(unreach-call) line 13
// fibonacci(11) is 89.
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
static int fibonacci(int n) {
  if (n < 1) return 0;
  if (n == 1) return 1;
  return fibonacci(n - 1) + fibonacci(n - 2);
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 12) return 0;
  if (n >= 11 && fibonacci(n) < 90) __VERIFIER_error();
  return 0;
}
