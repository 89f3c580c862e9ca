// expect: false(unreach-call) line 17
// property: unreach-call
// Like two_rates.c, with one for some rounds: not enough for two a round.
extern int nondet(void);
extern void __VERIFIER_error(void);
int main(void) {
  int n = nondet(), k = 0;
  if (n < 0 || n > 100000) return 0;
  for (int i = 0; i < n; i++)
    if (nondet())
      k += 1;
    else
      k += 3;

  for (int j = 0; j < n; j++) {

    if (k <= j) __VERIFIER_error();
    k--;
  }
  return 0;
}
