// expect: false(unreach-call) line 15
// property: unreach-call
// hard-for: dpr
// Like filled_twice.c, but one more is taken than was put there.
extern int nondet(void);
extern void __VERIFIER_error(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int first = nondet(), second = nondet(), held = 0;
  __VERIFIER_assume(-5000 <= first && first < 5000);
  __VERIFIER_assume(-5000 <= second && second < 5000);
  for (int i = 0; i < first; i++) held++;
  for (int i = 0; i < second; i++) held++;
  for (int i = 0; i < first + second + 1; i++) {
    if (held <= 0) __VERIFIER_error();
    held--;
  }
  return 0;
}
