// expect: false(unreach-call) line 13
// An input of a register, then one for memory that was never written: two kinds of input, one behind the other.
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
void __VERIFIER_assume(int);
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(0 <= n && n <= 2);
  int d[3];
  for (int i = 0; i < n; i++) d[i] = i;
  if (d[1] > 5) d[0] = -1;
  for (int i = 0; i < n; i++)
    if (d[i] < 0) __VERIFIER_error();
  return 0;
}
