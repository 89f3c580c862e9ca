// An assertion that fails for some inputs only.
//
//   whittle check examples/triangle.c
//
// A specification in one line (`valid`) against a function someone wrote. The report begins with the inputs that tell
// them apart; the line `replay:` at its end runs the program with exactly these inputs again.
//
// expect: false(unreach-call) line 26
#include <assert.h>
#include <stdbool.h>

unsigned char __VERIFIER_nondet_uchar(void);

enum kind { none, scalene, isosceles, equilateral };

static enum kind classify(int a, int b, int c) {
  if (a == b && b == c) return equilateral;
  if (a + b <= c || b + c <= a) return none;  // and a + c <= b?
  if (a == b || b == c || a == c) return isosceles;
  return scalene;
}

int main(void) {
  int a = __VERIFIER_nondet_uchar() % 16 + 1, b = __VERIFIER_nondet_uchar() % 16 + 1, c = __VERIFIER_nondet_uchar() % 16 + 1;
  bool valid = a + b > c && b + c > a && a + c > b;
  assert((classify(a, b, c) != none) == valid);
  return 0;
}
