// expect: true
// proved-by: explicit dpr
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int x, int y) {
  if (x == -70003 && y == 70001) reach_error();
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > -70010 && x < -70000);
  int y = __VERIFIER_nondet_int();
  __VERIFIER_assume(y > x + 140010 && y <= 70030);
  check(x, y);
  return 0;
}
