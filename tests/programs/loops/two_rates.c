// expect: true
// property: unreach-call
// proved-by: dash
// time: 120
// Two to three for each round: what is taken away again, one a round, is always there.
extern int nondet(void);
extern void __VERIFIER_error(void);
int main(void) {
  int n = nondet(), k = 0;
  if (n < 0 || n > 100000) return 0;
  for (int i = 0; i < n; i++)
    if (nondet())
      k += 2;
    else
      k += 3;
  for (int j = 0; j < n; j++) {
    if (k <= j) __VERIFIER_error();
    k--;
  }
  return 0;
}
