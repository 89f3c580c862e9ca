// expect: unknown
// A quantifier over all numbers is not followed.
int main(void) {
  __CPROVER_assert(__CPROVER_forall { int i; i + 1 > i }, "always");
  return 0;
}
