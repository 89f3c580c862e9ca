// As invalid_not_asked.c, with a division.
// expect: unknown
// property: unreach-call
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 100 / x;
  if (x == 3 && y != 33) reach_error();
  return 0;
}
