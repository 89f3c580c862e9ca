// expect: true
// proved-by: auto
// Quantifiers over ranges, one inside the other, and implications.
int a[3][2];
int main(void) {
  unsigned n = 3;
  __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < 3) ==> a[i][0] == 0 }, "all zero");
  a[1][1] = 7;
  __CPROVER_assert(__CPROVER_exists { unsigned i; i < n && __CPROVER_exists { int j; 0 <= j && j <= 1 && a[i][j] == 7 } }, "one seven");
  __CPROVER_assert(!__CPROVER_forall {
    unsigned i;
    i < n ==> a[i][1] == 0
  }, "not all zero");
  int x = 4;
  __CPROVER_assert(x > 5 ==> x > 6, "implication");
  __CPROVER_assert((x > 3) ==> (x == 4 && a[1][1] == 7), "implication");
  return 0;
}
