// expect: true
// property: unreach-call
// proved-by: dash
// time: 120
// The last round that was seen is one of the rounds, if there are any.
extern int nondet(void);
extern void __VERIFIER_error(void);
int main(void) {
  int rounds = nondet(), last = 0, i = 0;
  while (i < rounds) {
    if (nondet()) last = i;
    i++;
  }
  if (rounds > 0 && (last < 0 || last >= rounds)) __VERIFIER_error();
  return 0;
}
