// expect: true
// proved-by: auto
int a[3] = {1, 2, 3}, b[3];
int main(void) {
  unsigned __CPROVER_bitvector[5] small = 31;
  small++;
  __CPROVER_assert(small == 0, "five bits");
  __CPROVER_array_copy(b, a);
  __CPROVER_assert(b[2] == 3 && __CPROVER_array_equal(a, b), "copied");
  int c[2] = {8, 9};
  __CPROVER_array_replace(b, c);
  __CPROVER_assert(b[0] == 8 && b[1] == 9 && b[2] == 3, "replaced");
  return 0;
}
