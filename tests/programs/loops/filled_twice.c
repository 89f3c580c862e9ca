// expect: true
// property: unreach-call
// proved-by: dash
// time: 120
// Filled by two loops, emptied by a third. Bounds come from an assumption with two parts.
extern int nondet(void);
extern void __VERIFIER_error(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int first = nondet(), second = nondet(), held = 0;
  __VERIFIER_assume(-5000 <= first && first < 5000);
  __VERIFIER_assume(-5000 <= second && second < 5000);
  for (int i = 0; i < first; i++) held++;
  for (int i = 0; i < second; i++) held++;
  for (int i = 0; i < first + second; i++) {
    if (held <= 0) __VERIFIER_error();
    held--;
  }
  return 0;
}
