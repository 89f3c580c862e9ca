// expect: false(unreach-call) line 13
// property: unreach-call
// hard-for: dpr
// Like last_seen.c, but the round after it is noted.
extern int nondet(void);
extern void __VERIFIER_error(void);
int main(void) {
  int rounds = nondet(), last = 0, i = 0;
  while (i < rounds) {
    if (nondet()) last = i + 1;
    i++;
  }
  if (rounds > 0 && (last < 0 || last >= rounds)) __VERIFIER_error();
  return 0;
}
