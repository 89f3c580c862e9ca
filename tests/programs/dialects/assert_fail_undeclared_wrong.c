// expect: false(unreach-call)
int main() {
  int x = __VERIFIER_nondet_int();
  if (x == 4)__assert_fail("x", "f", 1, "main");
  return 0;
}
