// 2147483648 does not fit into int, so it is a long: nothing here overflows, in no data model. SV-COMP's AdditionIntMin and
// Division of signedintegeroverflow-regression (2015) are labelled false by mistake.
// options: --data-model ILP32
// property: no-overflow
// expect: true
// proved-by: explicit
int main(void) {
  int sum = (-2147483648 + -1) + 23;
  int quotient = (-2147483648 / -1) - 1;
  return sum == -2147483626 && quotient == 2147483647 ? 0 : 1;
}
